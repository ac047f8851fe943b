import { expect, it } from 'vitest';
import { HostMemory } from '../../simulator/runtime/host-memory.ts';

it('64-bit values in host memory are exact in both directions', () => {
  const memory = new HostMemory();
  memory.attach(new WebAssembly.Memory({ initial: 1 }), () => 0);
  for (const value of [
    0,
    1,
    -1,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    2 ** 32,
    -(2 ** 31),
    -(2 ** 32),
    2 ** 40 + 5,
    -(2 ** 40) - 5,
    2 ** 53 - 1,
  ]) {
    memory.setU64(4096, value);
    expect(memory.view.getBigInt64(4096, true)).toBe(BigInt(value));
    expect(memory.u64(4096)).toBe(value);
  }
});
