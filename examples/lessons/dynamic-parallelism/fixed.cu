// Lists of several lengths. One thread launches one grid, with a block for each list.
#include <cstdio>
#include <vector>

#define LISTS 32

__global__ void fill(int *out, const int *begins) {
  int list = blockIdx.x;
  for (int i = begins[list] + threadIdx.x; i < begins[list + 1]; i += blockDim.x) out[i] = list;
}

__global__ void lists(int *out, const int *begins) {
  if (threadIdx.x == 0) fill<<<LISTS, 32>>>(out, begins);
}

int main() {
  std::vector<int> begins(LISTS + 1, 0);
  for (int list = 0; list < LISTS; list++) begins[list + 1] = begins[list] + 8 + list % 5;
  const int n = begins[LISTS];
  std::vector<int> host(n);
  int *out, *starts;
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&starts, begins.size() * sizeof(int));
  cudaMemcpy(starts, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice);
  lists<<<1, LISTS>>>(out, starts);
  cudaMemcpy(host.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int list = 0; list < LISTS; list++)
    for (int i = begins[list]; i < begins[list + 1]; i++) wrong += host[i] != list;
  printf("%d wrong\n", wrong);
  cudaFree(out);
  cudaFree(starts);
  return wrong != 0;
}
