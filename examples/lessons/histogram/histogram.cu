// Counts bytes. Every element is an atomic in global memory.
#include <cstdio>
#include <vector>

#define BINS 64

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i] % BINS], 1);
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
