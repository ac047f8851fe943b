/** A system that is after the server: processes that are killed, folders that cannot be written, clients that vanish. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtures } from './editor.ts';
import { RawClient } from './raw-client.ts';
import { goodbye, ways } from './soak-goodbyes.ts';
import { Watched } from './watched.ts';

const program = `#include <cstdio>
__global__ void k(int* v) { v[32 * threadIdx.x] = 1; }
int main() {
  int* v;
  cudaMalloc(&v, 4096);
  k<<<1, 32>>>(v);
  std::FILE* file = std::fopen("result.txt", "w");
  std::printf("%d %s\\n", (int)cudaDeviceSynchronize(), file ? "written" : "not written");
}
`;

// How processes are found is Linux's way.
describe.runIf(process.platform === 'linux')('a server', () => {
  let watched: Watched;
  let client: RawClient;
  beforeEach(() => {
    watched = new Watched();
  });
  afterEach(async () => {
    expect(client.logged).not.toMatch(/Uncaught|Unhandled/);
    expect(await client.stop()).toBe(0);
    expect(await watched.left()).toEqual([]);
    expect(watched.temporaryFiles()).toEqual([]);
    watched.remove();
  });
  const start = async (options: object = {}) => {
    client = await RawClient.initialized(
      { initializationOptions: { ownCommands: true, ...options } },
      { environment: watched.environment },
    );
  };
  const children = (bundle: string) => watched.processes().filter(({ command }) => command.includes(bundle));

  it('outlives the death of those that analyse for it', async () => {
    await start();
    const uri = 'file:///w/a.cu';
    client.open(uri, program);
    expect(await client.rules(uri)).toEqual(['uncoalesced-access']);
    for (const signal of ['SIGKILL', 'SIGSTOP', 'SIGKILL'] as const) {
      for (const { id } of children('analysis-process')) process.kill(id, signal);
      client.notify('textDocument/didChange', {
        textDocument: { uri, version: 2 },
        contentChanges: [{ text: program.replace('32 *', '16 *') }],
      });
      expect(await client.rules(uri)).toEqual(['uncoalesced-access']);
    }
  });

  it('outlives the death of Clang, and compiles the next time', { timeout: 180_000 }, async () => {
    await start();
    const file = join(watched.work, 'a.cu');
    writeFileSync(file, program);
    const uri = pathToFileURL(file).href;
    const run = client.request('lanewise/run', { uri });
    await expect.poll(() => children('toolchain-process').length, { timeout: 60_000 }).toBeGreaterThan(0);
    for (const { id } of children('toolchain-process')) process.kill(id, 'SIGKILL');
    expect((await run).error).toBeUndefined();
    expect((await client.request('lanewise/run', { uri })).result).toMatchObject({ kind: 'finished', report: { exit: 0, faults: [] } });
  });

  it('runs programs where nothing can be kept and nothing written', { timeout: 180_000 }, async () => {
    const blocked = join(watched.folder, 'blocked');
    writeFileSync(blocked, '');
    await start({ cacheFolder: join(blocked, 'programs') });
    const folder = join(watched.work, 'read-only');
    mkdirSync(folder);
    const file = join(folder, 'a.cu');
    writeFileSync(file, program);
    chmodSync(folder, 0o555);
    const { result } = await client.request('lanewise/run', { uri: pathToFileURL(file).href });
    chmodSync(folder, 0o755);
    expect(result).toMatchObject({ kind: 'finished', report: { exit: 0, faults: [] } });
    const output = client.heard.flatMap(({ method, params }) => (method === 'lanewise/output' ? [params.text] : [])).join('');
    // The permissions of a folder mean nothing to root.
    expect(output).toBe(process.getuid?.() === 0 ? '0 written\n' : '0 not written\n');
  });
});

describe.runIf(process.platform === 'linux')('nothing is left of a server', () => {
  // `npm run soak:server` tries all ways at several times.
  it.each(['the end of its input', 'SIGKILL'])('after %s, while it compiles', async (name) => {
    expect(await goodbye(ways[name], 1500)).toEqual([]);
  });
});

it('a client that says nothing about settings gets the defaults, for thousands of files as for one', async () => {
  const client = await RawClient.initialized({
    capabilities: { textDocument: { diagnostic: {} }, workspace: { configuration: true } },
  });
  const text = readFileSync(join(fixtures, 'doubling.cu'), 'utf8');
  const begin = performance.now();
  for (let i = 0; i < 50; i++) client.open(`file:///w/${i}.cu`, text);
  expect(await client.rules('file:///w/49.cu')).toContain('divergent-branch');
  // Two seconds of patience, once.
  expect(performance.now() - begin).toBeLessThan(20_000);
  expect(await client.stop()).toBe(0);
});
