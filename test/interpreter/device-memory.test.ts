import { describe, expect, it } from 'vitest';
import { DEVICE_FLOOR, DEVICE_TOP } from '../../simulator/ir/address-map.ts';
import { DeviceMemory } from '../../simulator/machine/device-memory.ts';
import { clearBytes } from '../../simulator/machine/zeroing.ts';

const MIB = 1 << 20;
const residentBytes = () => process.memoryUsage().rss;

describe('device memory', () => {
  it('is given out ascending from near its top, at the same addresses each time', () => {
    const addresses = () => {
      const memory = new DeviceMemory();
      return [100, 5000, 1].map((sizeBytes) => memory.allocate(sizeBytes, 'some')!.address);
    };
    const [first, second, third] = addresses();
    expect([second - first, third - second]).toEqual([512, 5120]);
    expect(first).toBeGreaterThan(DEVICE_TOP - 300 * MIB);
    expect(addresses()).toEqual([first, second, third]);
  });

  it('holds 3 GB in one piece or in many, and not what the host has', () => {
    const memory = new DeviceMemory();
    const pieces = Array.from({ length: 15 }, (_, k) => memory.allocate(200 * MIB, `piece ${k}`)!);
    expect(pieces.every(Boolean)).toBe(true);
    for (const { address, sizeBytes } of pieces) {
      expect(memory.find(address, sizeBytes)?.address).toBe(address);
      expect(address).toBeGreaterThanOrEqual(DEVICE_FLOOR);
      expect(address + sizeBytes).toBeLessThanOrEqual(DEVICE_TOP);
    }
    for (const { address } of pieces) memory.release(address);
    expect(memory.allocate(3000 * MIB, 'whole')).toBeDefined();
    const other = new DeviceMemory();
    expect(other.line.raiseHost(2000 * MIB)).toBe(true);
    const small = other.allocate(1900 * MIB, 'some')!;
    expect(small.address).toBeGreaterThanOrEqual(2000 * MIB);
    expect(other.line.raiseHost(other.line.deviceStart)).toBe(true);
    expect(other.line.overlaps).toBe(false);
  });

  it('has addresses of the host when there are no others, but not where one side sees memory of the other at another address', () => {
    const memory = new DeviceMemory();
    expect(memory.line.raiseHost(2000 * MIB)).toBe(true);
    const large = memory.allocate(2100 * MIB, 'much')!;
    expect(large.address).toBeLessThan(2000 * MIB);
    expect(memory.line.overlaps).toBe(true);
    expect(memory.line.raiseHost(3900 * MIB)).toBe(true);
    expect(memory.allocateAt(large.address + 4096, 4096, 'of both')).toBeUndefined();
    expect(memory.allocateAt(large.address - 2 * MIB, 4096, 'of both')).toBeDefined();
    const apart = new DeviceMemory();
    apart.line.keepsApart = true;
    expect(apart.line.raiseHost(2000 * MIB)).toBe(true);
    expect(apart.allocate(2100 * MIB, 'too much')).toBeUndefined();
    const small = apart.allocate(1900 * MIB, 'some')!;
    expect(apart.line.raiseHost(small.address + 1)).toBe(false);
  });

  it('starts large allocations at a multiple of 1 MiB, as the GPU does, if there is room', () => {
    const memory = new DeviceMemory();
    memory.allocate(80, 'small');
    const large = memory.allocate(100 * MIB, 'large')!;
    memory.allocate(80, 'small');
    const huge = memory.allocate(2048 * MIB, 'huge')!;
    expect([large.address % MIB, huge.address % MIB]).toEqual([0, 0]);
    const room = memory.line.deviceStart - memory.line.deviceLimit;
    expect(memory.allocate(room - 8192, 'all the rest')).toBeDefined();
  });

  it('is zero when it comes again, and costs nothing until it is touched', () => {
    const before = residentBytes();
    const memory = new DeviceMemory();
    for (let round = 0; round < 3; round++) {
      const { address, sizeBytes } = memory.allocate(3000 * MIB, 'much')!;
      expect([memory.bytes[address], memory.bytes[address + sizeBytes - 1], memory.bytes[address + 1000 * MIB]]).toEqual([0, 0, 0]);
      memory.bytes.fill(round + 1, address + 1000 * MIB - 10, address + 1000 * MIB + 100_000);
      memory.bytes[address + sizeBytes - 1] = 1;
      memory.release(address);
    }
    expect(residentBytes() - before).toBeLessThan(100 * MIB);
  });

  it('has scratch space for the engines that no pointer leads to', () => {
    const memory = new DeviceMemory();
    const first = memory.allocateScratch(1000)!;
    const second = memory.allocateScratch(1000)!;
    expect(second.address).toBe(first.address + 1024);
    expect(memory.find(first.address, 1)).toBeUndefined();
    memory.bytes.fill(9, first.address, first.address + 1024);
    memory.releaseScratch(first.address);
    const again = memory.allocateScratch(500)!;
    expect(again.address).toBe(first.address);
    expect(memory.bytes.subarray(again.address, again.address + 500).every((byte) => byte === 0)).toBe(true);
    // Memory that the host gave the device lies above it, and so does the region: what has no room below goes between them.
    const both = memory.allocateAt(DEVICE_FLOOR, 4096, 'both')!;
    const behind = memory.allocateScratch(DEVICE_FLOOR)!;
    expect(behind.address).toBe(both.address + 4096);
    memory.releaseScratch(behind.address);
    expect(memory.release(both.address)).toBe(true);
    expect(memory.allocateScratch(DEVICE_FLOOR)).toBeDefined();
    expect(memory.allocateAt(DEVICE_FLOOR, 4096, 'both')).toBeUndefined();
  });

  it('has a version for each content of an allocation', () => {
    const memory = new DeviceMemory();
    const { address } = memory.allocate(300, 'some')!;
    const other = memory.allocate(300, 'other')!.address;
    const versions = [memory.version(address)!];
    const seen = () => versions.push(memory.version(address)!);
    memory.write(address + 8, Uint8Array.of(1, 2));
    seen();
    memory.write(address + 8, Uint8Array.of(1, 2));
    expect(memory.version(address)).toBe(versions[1]);
    memory.changed(address + 299);
    seen();
    memory.changed(other);
    expect(memory.version(address)).toBe(versions[2]);
    memory.release(address);
    expect(memory.version(address)).toBeUndefined();
    expect(memory.allocate(300, 'again')!.address).toBe(address);
    seen();
    expect(new Set(versions).size).toBe(4);
  });

  it('is not filled again with what it holds, and is where anything was written since', () => {
    const memory = new DeviceMemory();
    const { address } = memory.allocate(1024, 'some')!;
    const held = () => memory.bytes.slice(address, address + 1024);
    memory.fill(address, 1024, 7);
    const version = memory.version(address);
    // Nobody is told of this byte, so it stays if nothing is written.
    memory.bytes[address + 5] = 1;
    memory.fill(address, 1024, 7);
    memory.fill(address + 4, 8, 7);
    expect(held()[5]).toBe(1);
    expect(memory.version(address)).toBe(version);
    for (const changes of [
      () => memory.fill(address, 1024, 8),
      () => memory.write(address + 900, Uint8Array.of(3)),
      () => memory.changed(address + 1),
      () => memory.release(address) && memory.allocate(1024, 'again'),
    ]) {
      changes();
      memory.bytes[address + 5] = 1;
      memory.fill(address, 1024, 7);
      expect(held()).toEqual(new Uint8Array(1024).fill(7));
    }
    memory.fill(address + 512, 8, 0);
    memory.fill(address + 508, 8, 0);
    expect([...held().slice(506, 522)]).toEqual([7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7]);
  });

  it('knows contents of the host again that come in turns, also when one of them differs in a byte', () => {
    const memory = new DeviceMemory();
    const { address } = memory.allocate(256, 'some')!;
    const [first, second] = [new Uint8Array(256).fill(1), new Uint8Array(256).fill(2)];
    const written = (bytes: Uint8Array) => {
      memory.write(address, bytes);
      return memory.version(address)!;
    };
    const versions = [first, second, first, second, first, second, first].map(written);
    expect(versions.slice(3)).toEqual([versions[3], versions[2], versions[3], versions[2]]);
    first[255] = 3;
    written(second);
    expect(versions).not.toContain(written(first));
    expect(written(second)).toBe(versions[3]);
  });
});

it('zeroing reaches every byte, whole chunks or not', () => {
  const bytes = new Uint8Array(300_000).fill(5);
  clearBytes(bytes, 3, 250_001);
  expect(bytes.indexOf(0)).toBe(3);
  expect(bytes.subarray(3, 250_001).every((byte) => byte === 0)).toBe(true);
  expect(bytes.subarray(250_001).every((byte) => byte === 5)).toBe(true);
});
