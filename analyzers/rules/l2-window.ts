/** Access-policy windows that cannot do what they are for (CUDA C++ Programming Guide, "L2 Set-Aside" and "L2 Policy for Persisting Accesses"). */
import { defineRule } from './define-rule.ts';

export const l2Window = defineRule({
  id: 'l2-window',
  summary: 'L2 access-policy window larger than the device or its set-aside allows',
  category: 'launches',
  severity: 'warning',
  messages: {
    none: '{device} does not support L2 access policies, which need compute capability 8.0 or later',
    limit: 'a window of {bytes} bytes exceeds the limit of {limit} on {device} (accessPolicyMaxWindowSize): cudaStreamSetAttribute fails',
    thrash:
      'hitRatio 1 on a window of {bytes} bytes with {aside} bytes set aside: lines of the window evict each other; set hitRatio to {ratio} or shrink the window',
  },
  *detectFile(file) {
    for (const f of file.hostFunctions) {
      const aside = f.calls.find(
        (call) => call.name === 'cudaDeviceSetLimit' && call.args[0]?.text.includes('cudaLimitPersistingL2CacheSize'),
      );
      for (const size of f.fieldWrites.filter((write) => write.path.endsWith('accessPolicyWindow.num_bytes'))) {
        const bytes = size.value.value;
        if (bytes === undefined) continue;
        const limit = file.device.accessPolicyMaxWindowBytes;
        if (limit === 0) yield { at: size.place, message: 'none', data: { device: file.device.name } };
        else if (bytes > limit) yield { at: size.place, message: 'limit', data: { bytes, limit, device: file.device.name } };
        const ratio = f.fieldWrites.find((write) => write.path === size.path.replace('num_bytes', 'hitRatio'));
        const wanted = aside?.args[1]?.value;
        // The device sets no more aside than it can, whatever is asked for.
        const set = wanted === undefined ? undefined : Math.min(wanted, file.device.persistingL2MaxBytes);
        if (limit > 0 && ratio?.value.value === 1 && set !== undefined && bytes > set)
          yield { at: ratio.place, message: 'thrash', data: { bytes, aside: set, ratio: set / bytes } };
      }
    }
  },
});
