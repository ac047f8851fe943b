import type { AccessFacts, GlobalPattern, VariantFacts } from '../model/facts.ts';
import { counted, defineRule } from './define-rule.ts';

/** Requests that need less than this many times their ideal sectors are let pass: one more of 16 is nothing to change code for. */
const TOLERANCE = 1.1;

/** Consecutive lanes on consecutive elements, but starting off a sector's boundary: one sector more per request. */
export const misalignedAccess = defineRule({
  id: 'misaligned-access',
  summary: 'Contiguous access that starts in the middle of a sector',
  category: 'memory',
  costs: true,
  severity: 'hint',
  messages: {
    shifted:
      'the warp starts {bytes} into a 32-byte sector: {sectors} sectors per request instead of {ideal}; start at a multiple of {elements}, or leave the first threads idle',
    cast: 'an access of {size} bytes must be aligned to {size} bytes, but this address is off by {bytes}: the kernel faults with cudaErrorMisalignedAddress',
  },
  *detect(kernel) {
    const first = new Map<string, AccessFacts>();
    for (const access of kernel.accesses) {
      const { global, type } = access;
      const size = type.size ?? 0;
      if (!global || size === 0) continue;
      // Vectors fault where scalars only cost a sector.
      const vector = type.vector && (size === 8 || size === 16);
      const shifted = global.shape === 'misaligned' && isWholeWarp(global) && access.loopInvariant;
      const start = vector || shifted ? access.startBytes : undefined;
      if (start === undefined) continue;
      if (vector && start % size !== 0) {
        yield { at: access.place, message: 'cast', data: { size, bytes: start % size }, severity: 'error' };
      } else if (shifted && !isHalo(access, kernel) && (access.control.loops.length > 0 || kernel.loops.length === 0)) {
        // What moves the start of an array moves it for all of its accesses.
        const key = `${access.object.id}+${start}`;
        first.set(key, first.get(key) ?? access);
        yield {
          at: access.place,
          message: 'shifted',
          causes: [first.get(key)!.place],
          data: {
            bytes: counted(start % 32, 'byte'),
            sectors: global.sectors,
            ideal: global.idealSectors,
            elements: counted(Math.max(1, 32 / size), 'element'),
          },
        };
      }
    }
  },
});

function isWholeWarp({ activeLanes, sectors, idealSectors }: GlobalPattern): boolean {
  return activeLanes === 32 && sectors > idealSectors * TOLERANCE;
}

/** A neighbour of an element that the kernel accesses too (a stencil, `start[r + 1]`): some of them must be off the boundary. */
function isHalo(access: AccessFacts, kernel: VariantFacts): boolean {
  return kernel.accesses.some(
    (a) => a.object.id === access.object.id && a.startBytes !== access.startBytes && a.global?.strideBytes === access.global?.strideBytes,
  );
}
