/** Copies in batches: one after the other, each as its own call would do it. */

import { texelBytes } from '../machine/images/image.ts';
import { arrayRows } from './cuda-array-copies.ts';
import type { ArrayTable } from './cuda-arrays.ts';
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import { BY_ADDRESS, copy, copyRows, type Rows, type Volume } from './cuda-memory.ts';
import type { StreamTable } from './cuda-streams.ts';
import { extentAt, FIELDS, pointersAt, SIZE_BYTES } from './structures.ts';

interface Parts {
  readonly context: CudaContext;
  readonly arrays: ArrayTable;
  readonly streams: StreamTable;
}

export function batchFunctions(parts: Parts): Functions {
  const { context, streams } = parts;
  const { host } = context;
  const submitted = (stream: number, copies: readonly ((() => number) | number)[], call: string): number => {
    const error = copies.find((each) => typeof each === 'number');
    if (typeof error === 'number') return error;
    // The default stream has no batches.
    if (stream === 0) return CUDA.InvalidValue;
    for (const each of copies) {
      const code = streams.submit(stream, each as () => number, call);
      if (code !== CUDA.Success) return code;
    }
    return CUDA.Success;
  };
  return apiCalls(context, {
    cudaMemcpyBatchAsync: (targets, sources, sizes, count, attributes, indices, attributeCount, stream) => {
      if (count === 0 || attributes === 0 || indices === 0 || attributeCount === 0 || attributeCount > count) return CUDA.InvalidValue;
      const [to, from, bytes] = [targets, sources, sizes].map((table) => pointersAt(host, table, count));
      const copies = to.map((target, index) => {
        const [source, sizeBytes] = [from[index], bytes[index]];
        return sizeBytes > 0 ? () => copy(context, target, source, sizeBytes, BY_ADDRESS) : CUDA.InvalidValue;
      });
      return submitted(stream, copies, 'cudaMemcpyBatchAsync');
    },
    cudaMemcpy3DBatchAsync: (count, operations, flags, stream) => {
      if (count <= 0 || count * SIZE_BYTES.cudaMemcpy3DBatchOp > host.sizeBytes || flags !== 0) return CUDA.InvalidValue;
      const copies = Array.from({ length: count }, (_, index) => boxCopy(parts, operations + index * SIZE_BYTES.cudaMemcpy3DBatchOp));
      return submitted(stream, copies, 'cudaMemcpy3DBatchAsync');
    },
  });
}

/** cudaMemcpy3DOperandType. */
const POINTER = 1;
const ARRAY = 2;

/** The extent and the rows of pointers count elements of the array, or bytes where there is none. */
function boxCopy({ context, arrays }: Parts, at: number): (() => number) | number {
  const { host } = context;
  const { src, dst, extent } = FIELDS.cudaMemcpy3DBatchOp;
  const operand = FIELDS.cudaMemcpy3DOperand;
  const [type, ptr, offset] = [operand.type, operand['op.ptr.ptr'], operand['op.array.offset']];
  const [rowLength, layerHeight] = [operand['op.ptr.rowLength'], operand['op.ptr.layerHeight']];
  const sides = [src, dst].map((side) => {
    const kind = host.u32(at + side + type);
    return { at: at + side, kind, array: kind === ARRAY ? arrays.get(host.u64(at + side + ptr)) : undefined };
  });
  if (sides.some(({ kind, array }) => (kind !== POINTER && kind !== ARRAY) || (kind === ARRAY && !array))) return CUDA.InvalidValue;
  const format = sides.find(({ array }) => array)?.array?.image.format;
  const elementBytes = format ? texelBytes(format) : 1;
  const { width, height, depth } = extentAt(host, at + extent);
  const volume: Volume = { widthBytes: width * elementBytes, height, depth };
  const [from, to] = sides.map((side): Rows | undefined => {
    if (side.array) {
      const [x, y, z] = [0, 8, 16].map((field) => host.u64(side.at + offset + field));
      return arrayRows(side.array, { x: x * elementBytes, y, z }, volume);
    }
    const pitch = host.u64(side.at + rowLength) || width;
    return { address: host.u64(side.at + ptr), pitchBytes: pitch * elementBytes, rowsPerSlice: host.u64(side.at + layerHeight) || height };
  });
  return from && to ? () => copyRows(context, to, from, volume, BY_ADDRESS) : CUDA.InvalidValue;
}
