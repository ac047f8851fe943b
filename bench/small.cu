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

__global__ void match(int *out) {
  unsigned peers = __match_any_sync(0xffffffffu, (threadIdx.x + blockIdx.x) % 5);
  if (threadIdx.x == 0) out[blockIdx.x & 1023] = peers;
}

__global__ void halves(unsigned short *out) {
  atomicCAS(out + (threadIdx.x & 7), (unsigned short)threadIdx.x, (unsigned short)blockIdx.x);
}

__global__ void heap(int *out) {
  int *own = (int *)malloc(16);
  own[threadIdx.x & 3] = blockIdx.x;
  out[threadIdx.x] = own[1];
  free(own);
}

__device__ int twice(int x) {
  return 2 * x;
}
__device__ int half(int x) {
  return x / 2;
}
__device__ int (*functions[])(int) = {twice, half};

__global__ void pointer(int *out) {
  out[threadIdx.x] = functions[blockIdx.x & 1](threadIdx.x);
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
  if (!strcmp(what, "match")) match<<<count, 32>>>(words);
  if (!strcmp(what, "halves")) halves<<<count, 32>>>((unsigned short *)words);
  if (!strcmp(what, "heap")) heap<<<count, 32>>>(words);
  if (!strcmp(what, "pointer")) pointer<<<count, 32>>>(words);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
