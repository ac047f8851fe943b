/** All the ways in which a client can go away, each while a program is being compiled or runs: what is left of the server's processes. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { RawClient } from './raw-client.ts';
import { Watched } from './watched.ts';

const program = `__global__ void k(volatile int* v) { while (*v == 0) {} }
int main() {
  int* v;
  cudaMallocManaged(&v, 4);
  k<<<1, 32>>>(v);
  cudaDeviceSynchronize();
}
`;

type Goodbye = (client: RawClient) => unknown;

export const ways: Readonly<Record<string, Goodbye>> = {
  'shutdown and exit': (client) => client.stop(),
  'exit without shutdown': (client) => client.notify('exit'),
  'the end of its input': (client) => client.process.stdin?.end(),
  'both streams closed': (client) => {
    client.process.stdin?.destroy();
    client.process.stdout?.destroy();
  },
  SIGTERM: (client) => client.process.kill('SIGTERM'),
  SIGKILL: (client) => client.process.kill('SIGKILL'),
};

/** One line for each process or file that is left, and each server that does not end. */
export async function goodbyes(): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, way] of Object.entries(ways)) {
    for (const afterMs of [0, 1500, 6000])
      problems.push(...(await goodbye(way, afterMs)).map((text) => `${name}, after ${afterMs} ms: ${text}`));
  }
  problems.push(...(await parentEnds()).map((text) => `a client's process that ends: ${text}`));
  return problems;
}

export async function goodbye(way: Goodbye, afterMs: number): Promise<string[]> {
  const watched = new Watched();
  const client = await RawClient.initialized(
    { initializationOptions: { ownCommands: true } },
    { environment: watched.environment, heard: () => undefined },
  );
  run(client, watched);
  await delay(afterMs);
  await way(client);
  return after(client, watched);
}

async function parentEnds(): Promise<string[]> {
  const watched = new Watched();
  const parent = spawn('sleep', ['600'], { stdio: 'ignore' });
  const client = await RawClient.initialized(
    { processId: parent.pid, initializationOptions: { ownCommands: true } },
    { environment: watched.environment, heard: () => undefined },
  );
  run(client, watched);
  await delay(3000);
  parent.kill('SIGKILL');
  return after(client, watched);
}

function run(client: RawClient, watched: Watched): void {
  const file = join(watched.work, 'waits.cu');
  writeFileSync(file, program);
  const uri = pathToFileURL(file).href;
  client.open(uri, program);
  void client.request('lanewise/run', { uri });
}

async function after(client: RawClient, watched: Watched): Promise<string[]> {
  const left = await watched.left(20);
  const files = client.process.signalCode === 'SIGKILL' ? [] : watched.temporaryFiles();
  for (const { id } of watched.processes()) process.kill(id, 'SIGKILL');
  watched.remove();
  return [...left.map((text) => `${text} is left`), ...files.map((file) => `the file ${file} is left`)];
}
