/** Every function that our runtime headers declare for the host is called by a test program, or answers that it is not supported. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNSUPPORTED } from '../../simulator/runtime/cuda-unsupported.ts';
import { repository } from './simulation.ts';

const include = join(repository, 'simulator/include');
const declared = (header: string) => {
  const text = readFileSync(join(include, header), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(/^(?:__host__ )?(?:__device__ )?[\w ]+[ *](cu(?:da)?[A-Z]\w*)\(/gm)].map(([, name]) => name);
};
const functions = [
  ...declared('cuda_runtime_api.h'),
  ...declared('lanewise/graph-api.h'),
  ...declared('cuda.h'),
  ...declared('lanewise/driver-api.h'),
];
const unsupported = Object.values(UNSUPPORTED).flat();

/** Text of all test programs that are run. */
function programs(folder: string): string {
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(cu|cpp|c|test\.ts)$/.test(name))
    .map((name) => readFileSync(join(repository, folder, name), 'utf8'))
    .join('\n');
}

describe('the runtime API', () => {
  it('is declared', () => expect(functions.length).toBeGreaterThan(300));

  it('is called by tests, or refused by name', () => {
    const text = programs('test/fixtures/runtime') + programs('test/runtime') + programs('test/fixtures/linux');
    const called = new Set([...text.matchAll(/\b(cu(?:da)?[A-Z]\w*)\s*(?:<[^;()]*>)?\(/g)].map(([, name]) => name));
    // What cuCtxCreate is, with and without parameters.
    called.add('cuCtxCreate_v4');
    expect(functions.filter((name) => !called.has(name) && !unsupported.includes(name))).toEqual([]);
  });

  it('what is refused is declared', () => expect(unsupported.filter((name) => !functions.includes(name))).toEqual([]));
});
