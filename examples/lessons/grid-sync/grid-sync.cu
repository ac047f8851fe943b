// Heat spreads along a rod. The end of each launch is what all blocks wait for.
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>
#include <vector>

__global__ void spread(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
}

int main() {
  const int n = 4096, rounds = 16;
  std::vector<float> host(n, 0.0f), a, b;
  host[n / 2] = 1000;
  a = b = host;
  for (int round = 0; round < rounds; round++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
    std::swap(a, b);
  }
  float *from, *to;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMemcpy(from, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(to, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int round = 0; round < rounds; round++) {
    spread<<<n / 256, 256>>>(from, to, n);
    std::swap(from, to);
  }
  cudaMemcpy(host.data(), from, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += host[i] - a[i] > 1e-3f || a[i] - host[i] > 1e-3f;
  printf("%d wrong\n", wrong);
  cudaFree(from);
  cudaFree(to);
  return wrong != 0;
}
