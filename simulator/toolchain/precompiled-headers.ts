/**
 * The precompiled headers that come with the package, one per side: two seconds of parsing become a tenth. Packages carry them compressed,
 * a build in a working tree plain. Without them everything works, more slowly.
 */
import { assets, bytes, storage } from '#platform';
import { DEFAULT_STANDARD, STANDARDS, type Standard } from '../options/standards.ts';
import type { Side } from './flags.ts';

export const precompiledHeaderPath: Readonly<Record<Side, string>> = {
  device: '/.lanewise-in/device.pch',
  host: '/.lanewise-in/host.pch',
};

const loaded = new Map<Side, Promise<Uint8Array | undefined>>();

/** Has the package one? */
export function hasPrecompiledHeader(side: Side): boolean {
  return assets.has('pch', `${side}.pch`) || assets.has('pch', `${side}.pch.br`);
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
  const path = assets.path('pch', `${side}.pch`);
  const plain = (await storage.read(path)) ?? (await readCompressed(`${path}.br`));
  return plain && inSharedMemory(plain);
}

export function inSharedMemory(content: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(content.length));
  shared.set(content);
  return shared;
}

async function readCompressed(file: string): Promise<Uint8Array | undefined> {
  const compressed = await storage.read(file);
  return compressed && bytes.decompress(compressed);
}

/**
 * May the program be compiled on top of the precompiled header? Names that begin with an underscore may change what a standard header
 * declares, so these need the headers read anew.
 */
export function fitsPrecompiledHeader(defines: readonly string[], standard?: Standard): boolean {
  const isUsual = standard === undefined || STANDARDS.indexOf(standard) <= STANDARDS.indexOf(DEFAULT_STANDARD);
  return isUsual && defines.every((define) => !define.startsWith('_') && !define.startsWith('CUDA_API_PER_THREAD'));
}
