// Counts bytes. Every block counts in shared memory first.
#include <cstdio>
#include <vector>

#define BINS 64

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  __shared__ unsigned own[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[data[i] % BINS], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) atomicAdd(&bins[bin], own[bin]);
}

int main() {
  const int n = 1 << 16;
  std::vector<unsigned char> host(n);
  std::vector<unsigned> expected(BINS), counted(BINS);
  for (int i = 0; i < n; i++) expected[(host[i] = i / 3 * i) % BINS]++;
  unsigned char *data;
  unsigned *bins;
  cudaMalloc(&data, n);
  cudaMalloc(&bins, BINS * sizeof(unsigned));
  cudaMemcpy(data, host.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, BINS * sizeof(unsigned));
  histogram<<<32, 256>>>(data, bins, n);
  cudaMemcpy(counted.data(), bins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < BINS; i++) wrong += counted[i] != expected[i];
  printf("%d wrong\n", wrong);
  cudaFree(data);
  cudaFree(bins);
  return wrong != 0;
}
