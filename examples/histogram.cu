// Counting bytes in 16 bins: atomics on global memory, on one copy per block, and on one copy per warp.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBins = 16, kThreads = 128, kWarps = kThreads / 32;

// Every thread goes to global memory, where equal bins wait for each other.
__global__ void globalBins(const unsigned char* data, int n, unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i] % kBins], 1u);
}

// One copy of the bins per block: a block goes to global memory once per bin.
__global__ void blockBins(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned local[kBins];
  if (threadIdx.x < kBins) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i] % kBins], 1u);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// One copy per warp: only lanes of the same warp still meet.
__global__ void warpBins(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned local[kWarps][kBins];
  unsigned* mine = local[threadIdx.x / 32];
  if (threadIdx.x % 32 < kBins) mine[threadIdx.x % 32] = 0;
  __syncwarp();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[data[i] % kBins], 1u);
  __syncthreads();
  if (threadIdx.x < kBins) {
    unsigned sum = 0;
    for (int warp = 0; warp < kWarps; ++warp) sum += local[warp][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
  }
}

int main() {
  const int n = 1 << 15;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(kBins), result(kBins);
  unsigned state = 1;
  for (unsigned char& byte : data) {
    state = state * 1664525u + 1013904223u;
    byte = state >> 24;
    ++expected[byte % kBins];
  }
  unsigned char* in;
  unsigned* bins;
  cudaMalloc(&in, n);
  cudaMalloc(&bins, kBins * sizeof(unsigned));
  cudaMemcpy(in, data.data(), n, cudaMemcpyHostToDevice);
  void (*kernels[])(const unsigned char*, int, unsigned*) = {globalBins, blockBins, warpBins};
  const char* names[] = {"global bins", "bins per block", "bins per warp"};
  for (int version = 0; version < 3; ++version) {
    cudaMemset(bins, 0, kBins * sizeof(unsigned));
    kernels[version]<<<16, kThreads>>>(in, n, bins);
    cudaMemcpy(result.data(), bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost);
    printf("%-16s %s\n", names[version], result == expected ? "ok" : "WRONG");
  }
  cudaFree(in);
  cudaFree(bins);
}
