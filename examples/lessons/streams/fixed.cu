// Four pieces of work in two streams: one copies while the other computes.
#include <cstdio>
#include <cstdlib>

__global__ void work(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = data[i];
  for (int k = 0; k < 8; k++) x = x * 0.5f + 1;
  data[i] = x;
}

const int pieces = 4, n = 1 << 18;

int main() {
  float *host;
  cudaMallocHost(&host, pieces * n * sizeof(float));
  for (int i = 0; i < pieces * n; i++) host[i] = 2;
  float *data;
  cudaMalloc(&data, pieces * n * sizeof(float));
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams) cudaStreamCreate(&stream);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  for (int piece = 0; piece < pieces; piece++) {
    cudaStream_t stream = streams[piece % 2];
    cudaMemcpyAsync(data + piece * n, host + piece * n, n * sizeof(float), cudaMemcpyHostToDevice, stream);
    work<<<n / 256, 256, 0, stream>>>(data + piece * n, n);
    cudaMemcpyAsync(host + piece * n, data + piece * n, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds;
  cudaEventElapsedTime(&milliseconds, begin, end);
  int wrong = 0;
  for (int i = 0; i < pieces * n; i++) wrong += host[i] != 2;
  printf("%d wrong, took %.3f ms\n", wrong, milliseconds);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(data);
  cudaFreeHost(host);
  return wrong != 0;
}
