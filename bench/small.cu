// Small blocks and small launches: what is left is what a block and a launch cost by themselves. Arguments: what to run, how often.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void step(float *out, int k) {
  out[threadIdx.x] = out[threadIdx.x] * 0.5f + k;
}

__global__ void store(int *out) {
  out[threadIdx.x] = blockIdx.x;
}

__global__ void tile(int *out) {
  __shared__ int words[1024];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x & 1023] = words[3];
}

__global__ void vote(int *out, int k) {
  unsigned odd = __ballot_sync(0xffffffffu, (threadIdx.x ^ k) & 1);
  if (threadIdx.x == 0) out[blockIdx.x & 1023] = odd;
}

__global__ void add(int *out) {
  atomicAdd(out + (threadIdx.x & 7), 1);
}

// Lanes that retry part from the others: such a kernel runs path by path.
__global__ void swap(int *out) {
  int seen, old = *out;
  do {
    seen = old;
    old = atomicCAS(out, seen, seen + 1);
  } while (old != seen);
}

int main(int, char **argv) {
  const char *what = argv[1];
  int count = atoi(argv[2]);
  int *words;
  cudaMalloc(&words, 4096);
  cudaMemset(words, 0, 4096);
  if (!strcmp(what, "launch"))
    for (int k = 0; k < count; k++) step<<<1, 32>>>((float *)words, k);
  if (!strcmp(what, "store")) store<<<count, 32>>>(words);
  if (!strcmp(what, "tile")) tile<<<count, 32>>>(words);
  if (!strcmp(what, "vote")) vote<<<count, 32>>>(words, 1);
  if (!strcmp(what, "add")) add<<<count, 32>>>(words);
  if (!strcmp(what, "swap")) swap<<<count, 8>>>(words);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
