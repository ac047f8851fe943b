/**
 * The precompiled headers that come with the package, one per side: two seconds of parsing become a tenth. Packages carry them compressed,
 * a build in a working tree plain. Without them everything works, more slowly.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { asset } from '../assets.ts';
import type { Side } from './flags.ts';

export const precompiledHeaderPath: Readonly<Record<Side, string>> = {
  device: '/.lanewise-in/device.pch',
  host: '/.lanewise-in/host.pch',
};

const loaded = new Map<Side, Promise<Uint8Array | undefined>>();

/** Has the package one? */
export function hasPrecompiledHeader(side: Side): boolean {
  const plain = asset('pch', `${side}.pch`);
  return existsSync(plain) || existsSync(`${plain}.br`);
}

/** Undefined where the package has none. The bytes lie in shared memory: both compiler threads read them without a copy. */
export function precompiledHeader(side: Side): Promise<Uint8Array | undefined> {
  let header = loaded.get(side);
  if (!header) {
    header = load(side);
    loaded.set(side, header);
  }
  return header;
}

async function load(side: Side): Promise<Uint8Array | undefined> {
  const plain = asset('pch', `${side}.pch`);
  const bytes = existsSync(plain) ? await readFile(plain) : await readCompressed(`${plain}.br`);
  return bytes && inSharedMemory(bytes);
}

export function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

async function readCompressed(file: string): Promise<Uint8Array | undefined> {
  return existsSync(file) ? promisify(brotliDecompress)(await readFile(file)) : undefined;
}

/**
 * May the program be compiled on top of the precompiled header? Names that begin with an underscore may change what a standard header
 * declares, so these need the headers read anew.
 */
export function fitsPrecompiledHeader(defines: readonly string[]): boolean {
  return defines.every((define) => !define.startsWith('_'));
}
