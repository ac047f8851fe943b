/** Launches as the driver API had them at first: parameters, the block's shape and shared memory are set on a function, then it is launched. */
import type { Functions } from './cuda-context.ts';
import type { DriverParts } from './cuda-driver.ts';
import { CUDA } from './cuda-errors.ts';
import { POINTER_BYTES } from './structures.ts';

/** What a kernel's parameters may take. */
const MOST_BYTES = 4096;
/** CU_LAUNCH_PARAM_BUFFER_POINTER with the buffer's address, and CU_LAUNCH_PARAM_END. */
const EXTRA_BYTES = 3 * POINTER_BYTES;

interface Prepared {
  block: readonly [number, number, number];
  sharedBytes: number;
  /** Where the host has what cuLaunchKernel's last argument says, and the parameters behind it. */
  readonly extra: number;
}

/** `launch`: cuLaunchKernel. */
export function parameterCalls({ launches: { context }, kernels }: DriverParts, launch: Functions[string]): Functions {
  const { host } = context;
  const prepared = new Map<number, Prepared>();
  const of = (handle: number, set: (function_: Prepared) => number): number => {
    if (!kernels.has(handle)) return CUDA.InvalidResourceHandle;
    let known = prepared.get(handle);
    if (!known) {
      const extra = host.allocate(EXTRA_BYTES + MOST_BYTES);
      if (extra === 0) return CUDA.MemoryAllocation;
      host.setU64(extra, 1);
      host.setU64(extra + POINTER_BYTES, extra + EXTRA_BYTES);
      host.setU64(extra + 2 * POINTER_BYTES, 0);
      known = { block: [1, 1, 1], sharedBytes: 0, extra };
      prepared.set(handle, known);
    }
    return set(known);
  };
  const put = (handle: number, offset: number, bytes: () => Uint8Array): number =>
    of(handle, ({ extra }) => {
      const value = bytes();
      if ((offset | 0) < 0 || offset + value.length > MOST_BYTES) return CUDA.InvalidValue;
      host.write(extra + EXTRA_BYTES + offset, value);
      return CUDA.Success;
    });
  const grid = (handle: number, width: number, height: number, stream: number): number =>
    of(
      handle,
      ({ block, sharedBytes, extra }) =>
        launch(handle, width >>> 0, height >>> 0, 1, ...block, sharedBytes >>> 0, stream, 0, extra) ?? CUDA.Success,
    );
  return {
    cuFuncSetBlockShape: (handle, x, y, z) =>
      of(handle, (function_) => {
        if (Math.min(x, y, z) < 1 || Math.max(x, y, z) > 1024) return CUDA.InvalidValue;
        function_.block = [x, y, z];
        return CUDA.Success;
      }),
    cuFuncSetSharedSize: (handle, bytes) =>
      of(handle, (function_) => {
        function_.sharedBytes = bytes;
        return CUDA.Success;
      }),
    cuParamSetSize: (handle, bytes) => of(handle, () => (bytes > MOST_BYTES ? CUDA.InvalidValue : CUDA.Success)),
    cuParamSeti: (handle, offset, value) => put(handle, offset, () => new Uint8Array(Uint32Array.of(value).buffer)),
    cuParamSetf: (handle, offset, value) => put(handle, offset, () => new Uint8Array(Float32Array.of(value).buffer)),
    cuParamSetv: (handle, offset, pointer, bytes) => put(handle, offset, () => host.read(pointer, Math.min(bytes, MOST_BYTES + 1))),
    cuLaunch: (handle) => grid(handle, 1, 1, 0),
    cuLaunchGrid: (handle, width, height) => grid(handle, width, height, 0),
    cuLaunchGridAsync: (handle, width, height, stream) => grid(handle, width, height, stream),
  };
}
