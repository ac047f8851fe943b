/** One line on each of CUDA's names and what to know about it. */
export const BUILTINS: Readonly<Record<string, string>> = {
  threadIdx:
    '`threadIdx`: index of the thread in its block. 32 consecutive threads (x fastest, then y, then z) form a warp, and neighbouring lanes should touch neighbouring memory.',
  blockIdx:
    '`blockIdx`: index of the block in the grid; the same for all threads of a block, so a branch on it never splits a warp. Blocks run in no particular order.',
  blockDim: '`blockDim`: threads per block along each axis, at most 1,024 altogether. A multiple of 32 leaves no lane idle.',
  gridDim: '`gridDim`: blocks in the grid along each axis; with `blockDim` it gives the step of a grid-stride loop.',
  warpSize: '`warpSize`: 32 on every NVIDIA GPU so far. Not a compile-time constant.',
  __syncthreads:
    '`__syncthreads()`: waits for all threads of the block that have not exited and orders their shared and global accesses among themselves. It orders nothing between blocks.',
  __syncwarp:
    '`__syncwarp(mask)`: waits for the named lanes of the warp and orders their memory accesses. Since Volta lanes advance independently, so code that exchanges data within a warp needs it.',
  __threadfence:
    '`__threadfence()`: what this thread wrote before is visible to the whole device before what it writes after. It does not wait for other threads.',
  __global__: '`__global__`: a kernel, launched with `<<<grid, block>>>` and run by every thread of the grid.',
  __shared__:
    '`__shared__`: memory of one block, in 32 banks of 4-byte words: lanes that touch different words of one bank wait for each other.',
  __device__: '`__device__`: code or data of the GPU.',
  __constant__: '`__constant__`: read-only memory, fast when all lanes of a warp read the same address.',
  __launch_bounds__:
    '`__launch_bounds__(threads, blocks)`: promises the largest block and asks for this many resident blocks; the compiler limits registers to fit.',
};
