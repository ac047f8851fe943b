// Doubles a matrix, with a thread for each element. Neighbours go along a row.
#include <cstdio>
#include <vector>

__global__ void twice(const float *in, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int row = t / n, column = t % n;
  out[row * n + column] = 2 * in[row * n + column];
}

int main() {
  const int n = 512;
  std::vector<float> host(n * n);
  for (int i = 0; i < n * n; i++) host[i] = i;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemcpy(in, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<n * n / 256, 256>>>(in, out, n);
  cudaMemcpy(host.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n * n; i++) wrong += host[i] != 2.0f * i;
  printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong != 0;
}
