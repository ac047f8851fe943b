/** The GPUs that the simulator can stand for. */
import { h200 } from './h200.ts';
import type { DeviceProfile } from './profile.ts';

const DEVICES: readonly DeviceProfile[] = [h200];

export function deviceNamed(id: string): DeviceProfile | undefined {
  return DEVICES.find((device) => device.id === id);
}

/** Names for `--device`, the default first. */
export function deviceIds(): string[] {
  return DEVICES.map(({ id }) => id);
}
