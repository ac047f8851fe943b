// A sum in a block of shared memory, then by atomics.
#include <cstdio>
#include <vector>

#define THREADS 256

__global__ void reduce(const int *in, int *sum, int n) {
  __shared__ int part[THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

const int n = 1 << 20;
const int blocks = n / THREADS;

int main() {
  std::vector<int> host(n);
  int expected = 0;
  for (int i = 0; i < n; i++) expected += host[i] = i % 7;
  int *in, *sum, result;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(int));
  reduce<<<blocks, THREADS>>>(in, sum, n);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d, expected %d\n", result, expected);
  cudaFree(in);
  cudaFree(sum);
  return result != expected;
}
