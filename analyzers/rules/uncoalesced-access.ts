import { defineRule } from './define-rule.ts';

/** A request should not need more sectors than this many times its bytes: 1.2 is what the measurements call uncoalesced. */
const TOLERANCE = 1.3;

/** Lanes of a warp that touch far-apart addresses need one memory sector each. */
export const uncoalescedAccess = defineRule({
  id: 'uncoalesced-access',
  summary: 'Global memory access with a large stride between lanes',
  category: 'memory',
  severity: 'warning',
  messages: {
    strided:
      'lanes of a warp are {bytes} bytes apart: {sectors} sectors per request instead of {ideal}; let neighbouring threads touch neighbouring elements',
    scattered:
      'lanes of a warp touch {sectors} sectors per request where {ideal} would do; let neighbouring threads touch neighbouring elements',
  },
  *detect(kernel) {
    for (const access of kernel.accesses) {
      const pattern = access.global;
      if (!pattern || pattern.gathered || pattern.activeLanes < 4) continue;
      if (pattern.sectors <= pattern.idealSectors * TOLERANCE || pattern.sectors < pattern.idealSectors + 1) continue;
      const { sectors, idealSectors: ideal } = pattern;
      const apart = pattern.strideBytes === undefined ? pattern.strideText : `${Math.abs(pattern.strideBytes)}`;
      if (apart !== undefined && pattern.shape === 'strided')
        yield { at: access.place, message: 'strided', data: { bytes: apart, sectors, ideal } };
      else yield { at: access.place, message: 'scattered', data: { sectors, ideal } };
    }
  },
});
