/** What programs say about managed memory, and what they are told of it: there is one place only, so hints change nothing but the answers. */
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import type { StreamTable } from './cuda-streams.ts';
import { FIELDS, pointersAt } from './structures.ts';

/** cudaMemoryAdvise. */
const READ_MOSTLY = 1;
const UNSET_READ_MOSTLY = 2;
const PREFERRED_LOCATION = 3;
const UNSET_PREFERRED_LOCATION = 4;
const ACCESSED_BY = 5;
const UNSET_ACCESSED_BY = 6;
/** cudaInvalidDeviceId and cudaCpuDeviceId. */
const NOWHERE = -2;
const HOST = -1;

interface Hints {
  readMostly: boolean;
  preferred: number;
  prefetched: number;
  readonly accessedBy: Set<number>;
}

export function hintFunctions(context: CudaContext, streams: StreamTable, plain: Functions): Functions {
  /** By the address of the allocation. */
  const known = new Map<number, Hints>();
  const hintsOf = (address: number, sizeBytes: number): Hints | undefined => {
    const mirror = context.unified.find(address);
    if (mirror?.kind !== 'managed' || !context.locate(address, sizeBytes)) return undefined;
    let hints = known.get(mirror.device);
    if (!hints) {
      hints = { readMostly: false, preferred: NOWHERE, prefetched: NOWHERE, accessedBy: new Set() };
      known.set(mirror.device, hints);
    }
    return hints;
  };
  const isPlace = (device: number) => device >= HOST && device < context.devices.length;
  return {
    // Elsewhere the functions that count time do their part.
    cudaMemPrefetchAsync: (address, sizeBytes, device, stream) => {
      if (!isPlace(device | 0)) return apiError(context, CUDA.InvalidDevice);
      const code = plain.cudaMemPrefetchAsync(address, sizeBytes, device, stream) ?? CUDA.Success;
      const hints = code === CUDA.Success ? hintsOf(address, sizeBytes) : undefined;
      if (hints) hints.prefetched = device | 0;
      return code;
    },
    ...apiCalls(context, {
      cudaMemAdvise: (address, sizeBytes, advice, device) => {
        const hints = hintsOf(address, sizeBytes);
        if (!hints || sizeBytes <= 0) return CUDA.InvalidValue;
        const needsPlace = advice >= PREFERRED_LOCATION && advice !== UNSET_PREFERRED_LOCATION;
        return needsPlace && !isPlace(device | 0) ? CUDA.InvalidDevice : advise(hints, advice, device | 0);
      },
      ...rangeQuestions(context, hintsOf),
      cudaMemPrefetchBatchAsync: (addresses, sizes, count, places, indices, placeCount, flags, stream) => {
        if (flags !== 0 || placeCount === 0) return CUDA.InvalidValue;
        const { host } = context;
        const [starts, lengths] = [pointersAt(host, addresses, count), pointersAt(host, sizes, count)];
        const firsts = pointersAt(host, indices, placeCount);
        const work = starts.map((address, index) => ({ address, sizeBytes: lengths[index], place: placeOf(host, places, firsts, index) }));
        for (const { address, sizeBytes, place } of work) {
          const code = plain.cudaMemPrefetchAsync(address, sizeBytes, place, stream) ?? CUDA.Success;
          if (code !== CUDA.Success) return code;
          hintsOf(address, sizeBytes)!.prefetched = place;
        }
        return streams.check(stream);
      },
    }),
  };
}

function apiError(context: CudaContext, code: number): number {
  context.lastError = code;
  return code;
}

/** The place whose range of numbers has the operation: `firsts` says where each begins. */
function placeOf(host: CudaContext['host'], places: number, firsts: readonly number[], index: number): number {
  const at =
    places +
    Math.max(
      0,
      firsts.findLastIndex((first) => first <= index),
    ) *
      8;
  return host.u32(at + FIELDS.cudaMemLocation.type) === 1 ? host.u32(at + FIELDS.cudaMemLocation.id) : HOST;
}

function advise(hints: Hints, advice: number, device: number): number {
  if (advice === READ_MOSTLY || advice === UNSET_READ_MOSTLY) hints.readMostly = advice === READ_MOSTLY;
  else if (advice === PREFERRED_LOCATION || advice === UNSET_PREFERRED_LOCATION) {
    hints.preferred = advice === PREFERRED_LOCATION ? device : NOWHERE;
  } else if (advice === ACCESSED_BY) hints.accessedBy.add(device);
  else if (advice === UNSET_ACCESSED_BY) hints.accessedBy.delete(device);
  else return CUDA.InvalidValue;
  return CUDA.Success;
}

/** cudaMemLocationType. */
const PLACE = { nowhere: 0, device: 1, host: 2 };

function placeType(place: number): number {
  return place === NOWHERE ? PLACE.nowhere : place === HOST ? PLACE.host : PLACE.device;
}

function rangeQuestions(context: CudaContext, hintsOf: (address: number, sizeBytes: number) => Hints | undefined): Functions {
  const { host } = context;
  /** By cudaMemRangeAttribute. */
  const answerOf = ({ readMostly, preferred, prefetched }: Hints, attribute: number): number | undefined =>
    new Map([
      [1, Number(readMostly)],
      [2, preferred],
      [4, prefetched],
      [5, placeType(preferred)],
      [6, Math.max(0, preferred)],
      [7, placeType(prefetched)],
      [8, Math.max(0, prefetched)],
    ]).get(attribute);
  const tell = (out: number, sizeBytes: number, attribute: number, hints: Hints): number => {
    if (attribute === 3) {
      const devices = [...hints.accessedBy];
      if (sizeBytes % 4 !== 0 || sizeBytes === 0) return CUDA.InvalidValue;
      for (let index = 0; index < sizeBytes / 4; index++) host.setU32(out + 4 * index, devices[index] ?? NOWHERE);
      return CUDA.Success;
    }
    const value = answerOf(hints, attribute);
    if (value === undefined || sizeBytes !== 4) return CUDA.InvalidValue;
    host.setU32(out, value);
    return CUDA.Success;
  };
  return {
    cudaMemRangeGetAttribute: (out, sizeBytes, attribute, address, count) => {
      const hints = hintsOf(address, count);
      return hints ? tell(out, sizeBytes, attribute, hints) : CUDA.InvalidValue;
    },
    cudaMemRangeGetAttributes: (outs, sizes, list, attributeCount, address, count) => {
      const hints = hintsOf(address, count);
      if (!hints || attributeCount === 0) return CUDA.InvalidValue;
      const lengths = pointersAt(host, sizes, attributeCount);
      for (const [index, out] of pointersAt(host, outs, attributeCount).entries()) {
        const code = tell(out, lengths[index], host.u32(list + 4 * index), hints);
        if (code !== CUDA.Success) return code;
      }
      return CUDA.Success;
    },
  };
}
