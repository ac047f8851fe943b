// Even elements take one way, odd ones another.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void ways(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = data[i];
  if (i % 2 == 0) {
    for (int k = 0; k < 100; k++) x = x * 0.5f + 1;
  } else {
    for (int k = 0; k < 100; k++) x = x * 0.25f - 1;
  }
  data[i] = x;
}

int main() {
  const int n = 65536;
  std::vector<float> host(n), expected(n);
  for (int i = 0; i < n; i++) {
    float x = host[i] = i;
    for (int k = 0; k < 100; k++) x = i % 2 == 0 ? x * 0.5f + 1 : x * 0.25f - 1;
    expected[i] = x;
  }
  float *data;
  cudaMalloc(&data, n * sizeof(float));
  cudaMemcpy(data, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  ways<<<n / 256, 256>>>(data, n);
  cudaMemcpy(host.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += std::fabs(host[i] - expected[i]) > 1e-3f;
  printf("%d wrong\n", wrong);
  cudaFree(data);
  return wrong != 0;
}
