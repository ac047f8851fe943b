/** Access-policy windows that cannot do what they are for (CUDA C++ Programming Guide, "L2 Set-Aside" and "L2 Policy for Persisting Accesses"). */
import type { DeviceProfile } from '../../devices/profile.ts';
import type { HostFieldWrite, HostFunctionFacts } from '../model/file-facts.ts';
import { defineRule, type Report } from './define-rule.ts';
import { phrase } from './phrases.ts';

type Message = 'none' | 'limit' | 'ratio' | 'miss' | 'tooMuch' | 'noAside' | 'thrash';

export const l2Window = defineRule<Message>({
  id: 'l2-window',
  summary: 'L2 access-policy window larger than the device or its set-aside allows',
  category: 'launches',
  severity: 'warning',
  messages: {
    none: '{device} does not support L2 access policies, which need compute capability 8.0 or later',
    limit: 'a window of {bytes} bytes exceeds the limit of {limit} on {device} (accessPolicyMaxWindowSize): cudaStreamSetAttribute fails',
    ratio:
      'hitRatio {ratio} is not between 0 and 1: cudaStreamSetAttribute fails with cudaErrorInvalidValue; give the share of the window that is to persist',
    miss: 'missProp cannot be cudaAccessPropertyPersisting: cudaStreamSetAttribute fails with cudaErrorInvalidValue; use cudaAccessPropertyStreaming or cudaAccessPropertyNormal',
    tooMuch:
      '{bytes} bytes are more than the {limit} that {device} can set aside (persistingL2CacheMaxSize): cudaDeviceSetLimit fails, and the set-aside stays as it was; ask for at most {limit}',
    noAside:
      'nothing persists in this window, because cudaLimitPersistingL2CacheSize is 0; set the limit to the {bytes} bytes of the window, or to the {limit} that {device} can set aside at most',
    thrash:
      'hitRatio 1 on a window of {bytes} bytes with {aside} bytes set aside: lines of the window evict each other; set hitRatio to {ratio} or shrink the window',
  },
  *detectFile({ hostFunctions, device }) {
    for (const f of hostFunctions) {
      const aside = setAside(f);
      const limit = device.persistingL2MaxBytes;
      const isTooMuch = aside?.bytes !== undefined && limit > 0 && aside.bytes > limit;
      if (isTooMuch) yield { at: aside.at, message: 'tooMuch', data: { bytes: aside.bytes, limit, device: device.name } };
      for (const size of f.fieldWrites.filter((write) => write.path.endsWith('accessPolicyWindow.num_bytes')))
        yield* ofWindow(f, size, device, isTooMuch ? undefined : aside?.bytes);
      yield* ofProperties(f);
    }
  },
});

function setAside({ calls }: HostFunctionFacts) {
  const call = calls.find(({ name, args }) => name === 'cudaDeviceSetLimit' && args[0]?.text.includes('cudaLimitPersistingL2CacheSize'));
  const [, wanted] = call?.args ?? [];
  return wanted && { bytes: wanted.value, at: wanted.place };
}

function* ofWindow(
  f: HostFunctionFacts,
  size: HostFieldWrite,
  device: DeviceProfile,
  aside: number | undefined,
): Iterable<Report<Message>> {
  const bytes = size.value.value;
  if (bytes === undefined) return;
  const { accessPolicyMaxWindowBytes: limit, persistingL2MaxBytes, name } = device;
  if (limit === 0) yield { at: size.place, message: 'none', data: { device: name } };
  else if (bytes > limit) yield { at: size.place, message: 'limit', data: { bytes, limit, device: name } };
  const ratio = f.fieldWrites.find((write) => write.path === size.path.replace('num_bytes', 'hitRatio'));
  // What the call rejects needs no advice on what would persist.
  if (bytes > limit || !ratio || isRejected(ratio) || aside === undefined || bytes <= aside) return;
  const share = ratio.value.value;
  if (aside === 0 && share !== 0) yield { at: ratio.place, message: 'noAside', data: { bytes, limit: persistingL2MaxBytes, device: name } };
  else if (share === 1) {
    const newText = `${Math.floor((aside / bytes) * 1000) / 1000}f`;
    yield {
      at: ratio.place,
      message: 'thrash',
      data: { bytes, aside, ratio: aside / bytes },
      fixes: [{ title: phrase('setHitRatio', { ratio: newText }), edits: [{ at: ratio.value.place, newText }], safe: false }],
    };
  }
}

/** What cudaStreamSetAttribute does not take, as measured on an H200 with CUDA 13.0. */
function* ofProperties({ fieldWrites }: HostFunctionFacts): Iterable<Report<Message>> {
  for (const write of fieldWrites) {
    const { path, place, value } = write;
    if (path.endsWith('accessPolicyWindow.hitRatio') && isRejected(write))
      yield { at: place, message: 'ratio', data: { ratio: value.value! } };
    else if (path.endsWith('accessPolicyWindow.missProp') && /\bcudaAccessPropertyPersisting\b/.test(value.text))
      yield { at: place, message: 'miss' };
  }
}

function isRejected({ value: { value: ratio } }: HostFieldWrite): boolean {
  return ratio !== undefined && !(ratio >= 0 && ratio <= 1);
}
