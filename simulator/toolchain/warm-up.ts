/**
 * Clang before it is needed: its process is started and compiles a small program, so that V8 has compiled what most programs need of it. Ahead
 * of a first run that saves half of the wait.
 */
import { clangProcessId, keepClang } from './clang-pool.ts';
import { compileProgram } from './compile.ts';
import { packageRoot } from './virtual-paths.ts';

/** From opening a file to its first run. */
const firstRunMs = 300_000;
/** From one edit of a program that is run again and again to the next. */
const nextRunMs = 50_000;

const program = `#include <cstdio>
#include <vector>
__global__ void scale(float* data, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  if (i < n) data[i] = 2 * tile[threadIdx.x];
}
int main() {
  std::vector<float> host(64, 1.0f);
  float* device;
  cudaMalloc(&device, 64 * sizeof(float));
  cudaMemcpy(device, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(device, 64);
  cudaMemcpy(host.data(), device, 64 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%s %f\\n", cudaGetErrorString(cudaGetLastError()), host[0]);
}
`;

/** For a first run, some time from now. */
export function warmClang(): void {
  if (clangProcessId() === undefined) void compileSmallProgram().then(() => keepClang(firstRunMs));
  else keepClang(firstRunMs);
}

/** For the next run of a program that is being edited. */
export function keepClangWarm(): void {
  if (clangProcessId() === undefined) void compileSmallProgram();
  else keepClang(nextRunMs);
}

async function compileSmallProgram(): Promise<void> {
  await compileProgram({ file: `${packageRoot}/warm-up.cu`, text: program, includeDirs: [], defines: [] });
}
