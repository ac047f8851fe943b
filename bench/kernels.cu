// The kernels of the benchmark: one launch each is measured. Names are C names so that the harness finds them.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

extern "C" __global__ void vectorAdd(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

extern "C" __global__ void reduceModulo(const int* in, int* out, int n) {
  __shared__ int partial[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) partial[tid] += partial[tid + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void reduceShuffle(const int* in, int* out, int n) {
  __shared__ int partial[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? partial[lane] : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}

extern "C" __global__ void histogramGlobal(const int* data, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(bins + data[i], 1u);
}

extern "C" __global__ void histogramShared(const int* data, unsigned* bins, int n, int binCount) {
  extern __shared__ unsigned own[];
  for (int b = threadIdx.x; b < binCount; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(own + data[i], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < binCount; b += blockDim.x) atomicAdd(bins + b, own[b]);
}

extern "C" __global__ void matrixProduct(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/* Kernels whose threads wait for each other: blocks at a barrier of the grid, threads at a lock, threads at one word of memory. */
extern "C" __global__ void cooperativeSum(const float* in, float* partial, int n) {
  __shared__ float tile[256];
  auto grid = cooperative_groups::this_grid();
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) tile[threadIdx.x] += tile[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = tile[0];
  for (int left = gridDim.x; left > 1; left = (left + 1) / 2) {
    grid.sync();
    int half = (left + 1) / 2, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + half < left) partial[i] += partial[i + half];
  }
}

extern "C" __global__ void locked(int* lock, volatile int* count, float* out, int rounds) {
  float x = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    for (bool done = false; !done;) {
      if (atomicCAS(lock, 0, 1) == 0) {
        *count = *count + 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
    }
    for (int k = 0; k < 50; ++k) x = x * 0.99f + round;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

extern "C" __global__ void largest(const float* in, int* bins, int n, int binCount) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int* bin = bins + i % binCount;
    int seen = *(volatile int*)bin;
    while (__int_as_float(seen) < in[i]) {
      int before = atomicCAS(bin, seen, __float_as_int(in[i]));
      if (before == seen) break;
      seen = before;
    }
  }
}

int main() { return 0; }
