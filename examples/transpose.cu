// Transposing a matrix: the reads are coalesced or the writes are, until a tile in shared memory makes both so.
// The tile's extra column keeps its columns in different banks.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 32;

// Reads rows, writes columns: each warp's 32 stores go to 32 sectors.
__global__ void direct(const float* in, float* out, int n) {
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int dy = 0; dy < kTile; dy += blockDim.y)
    if (x < n && y + dy < n) out[x * n + y + dy] = in[(y + dy) * n + x];
}

// Padding: 0 puts a column of the tile into one bank, 1 spreads it over all.
template <int Padding>
__global__ void tiled(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + Padding];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int dy = 0; dy < kTile; dy += blockDim.y)
    if (x < n && y + dy < n) tile[threadIdx.y + dy][threadIdx.x] = in[(y + dy) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int dy = 0; dy < kTile; dy += blockDim.y)
    if (x < n && y + dy < n) out[(y + dy) * n + x] = tile[threadIdx.x][threadIdx.y + dy];
}

int main() {
  const int n = 256, bytes = n * n * sizeof(float);
  std::vector<float> matrix(n * n), result(n * n);
  for (int i = 0; i < n * n; ++i) matrix[i] = float(i);
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, matrix.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid(n / kTile, n / kTile), block(kTile, 8);

  auto check = [&](const char* name) {
    cudaMemcpy(result.data(), out, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) wrong += result[x * n + y] != matrix[y * n + x];
    printf("%-22s %s\n", name, wrong == 0 ? "ok" : "WRONG");
    cudaMemset(out, 0, bytes);
  };
  direct<<<grid, block>>>(in, out, n);
  check("direct");
  tiled<0><<<grid, block>>>(in, out, n);
  check("tiled");
  tiled<1><<<grid, block>>>(in, out, n);
  check("tiled and padded");
  cudaFree(in);
  cudaFree(out);
}
