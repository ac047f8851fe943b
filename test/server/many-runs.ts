/** Many runs of one program in one server: what they leave of memory and files. Shared by the tests and `npm run soak:runs`. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { RawClient } from './raw-client.ts';
import { type Memory, Watched } from './watched.ts';

/** Allocates on both sides, prints, and leaves a temporary file behind. */
const program = `#include <cstdio>
#include <vector>
__global__ void square(int* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= v[i];
}
int main() {
  const int n = 100000;
  std::vector<int> host(n, 3);
  int* v;
  cudaMalloc(&v, n * sizeof(int));
  cudaMemcpy(v, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<(n + 255) / 256, 256>>>(v, n);
  cudaMemcpy(host.data(), v, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::FILE* file = std::fopen("/tmp/result", "w");
  std::fprintf(file, "%d\\n", host[n - 1]);
  std::fclose(file);
  std::printf("%d\\n", host[n - 1]);
}
`;

export interface ManyRuns {
  /** After the tenth run and after the last one, garbage collected. */
  readonly tenth: Memory;
  readonly last: Memory;
  readonly temporaryFiles: readonly string[];
  readonly workFiles: readonly string[];
  readonly cacheFiles: number;
  readonly processesLeft: readonly string[];
  readonly exit: number | null;
}

export async function manyRuns(runs: number, progress: (done: number, memory: Memory) => void = () => undefined): Promise<ManyRuns> {
  const watched = new Watched();
  try {
    const client = await RawClient.initialized(
      { initializationOptions: { ownCommands: true } },
      { environment: watched.environment, heard: () => undefined },
    );
    const file = join(watched.work, 'squares.cu');
    writeFileSync(file, program);
    const uri = pathToFileURL(file).href;
    client.open(uri, program);
    let tenth: Memory | undefined;
    for (let run = 1; run <= runs; run++) {
      const { result } = await client.request('lanewise/run', { uri });
      if (result?.kind !== 'finished' || result.report.exit !== 0) throw new Error(`run ${run}: ${JSON.stringify(result).slice(0, 500)}`);
      if (run === 10) tenth = await settled(watched, client);
      else if (run % 100 === 0) progress(run, await settled(watched, client));
    }
    const last = await settled(watched, client);
    const temporaryFiles = watched.temporaryFiles();
    const exit = await client.stop();
    return {
      tenth: tenth!,
      last,
      temporaryFiles,
      workFiles: readdirSync(watched.work),
      cacheFiles: readdirSync(watched.cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
      processesLeft: await watched.left(),
      exit,
    };
  } finally {
    watched.remove();
  }
}

async function settled(watched: Watched, client: RawClient): Promise<Memory> {
  await delay(500);
  const memory = await watched.memory(client.process.pid!);
  if (!memory) throw new Error('the server does not say how much memory it has');
  return memory;
}
