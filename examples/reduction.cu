// Five ways to sum an array, each without the fault of the one before. Run it:  lanewise run examples/reduction.cu
//
// A warp is 32 threads, its lanes, that execute together. What makes a reduction slow is rarely the additions: it is
// lanes that idle while others work, shared memory banks that conflict, and threads that queue for one address. The
// table after the program's output counts all three: look at "lanes", "conflicts" and "atomics".
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 256;

// 1. Every thread adds to one address. Correct, short, and everybody waits for everybody.
__global__ void oneAddress(const float* in, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);
}

// 2. A tree in shared memory, one atomic per block. But a modulo decides which threads work: every warp stays busy to
// the end, with ever fewer of its lanes.
__global__ void moduloTree(const float* in, float* sum, int n) {
  __shared__ float tile[kThreads];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    if (t % (2 * step) == 0) tile[t] += tile[t + step];
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, tile[0]);
}

// 3. The first threads do the work, so whole warps retire. But they stride through shared memory: banks conflict.
__global__ void stridedTree(const float* in, float* sum, int n) {
  __shared__ float tile[kThreads];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    int k = 2 * step * t;
    if (k < kThreads) tile[k] += tile[k + step];
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, tile[0]);
}

// 4. Neighbouring threads read neighbouring words: no conflicts, and full warps until the last one.
__global__ void sequentialTree(const float* in, float* sum, int n) {
  __shared__ float tile[kThreads];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (t < step) tile[t] += tile[t + step];
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, tile[0]);
}

// 5. Lanes hand values to each other in registers; each warp uses one shared word, each block one atomic.
__global__ void shuffleTree(const float* in, float* sum, int n) {
  __shared__ float warpSums[kThreads / 32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += in[i];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (lane == 0) warpSums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < kThreads / 32 ? warpSums[lane] : 0.0f;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
    if (lane == 0) atomicAdd(sum, value);
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
  const int blocks = (n + kThreads - 1) / kThreads;
  std::vector<float> numbers(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) expected += numbers[i] = float(i % 10);

  float *in, *sum;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(in, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  struct Version {
    const char* name;
    void (*kernel)(const float*, float*, int);
    int blocks;
  };
  const Version versions[] = {
      {"one address", oneAddress, blocks},         {"modulo tree", moduloTree, blocks},
      {"strided tree", stridedTree, blocks},       {"sequential tree", sequentialTree, blocks},
      {"shuffle tree", shuffleTree, blocks < 32 ? blocks : 32},
  };
  for (const Version& version : versions) {
    cudaMemset(sum, 0, sizeof(float));
    version.kernel<<<version.blocks, kThreads>>>(in, sum, n);
    float result = 0;
    cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%-16s %.0f %s\n", version.name, result, result == float(expected) ? "ok" : "WRONG");
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(sum);
}
