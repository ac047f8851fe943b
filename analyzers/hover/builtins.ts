/**
 * One line on each of CUDA's names and what to know about it. Sources: CUDA C++ Programming Guide 13.0 (language extensions, cooperative
 * groups, asynchronous copies, graphs), CUDA Runtime API 13.0, CUDA Math API 13.0, CUDA C++ Best Practices Guide.
 */

/** Names that share a text; `{}` stands for the name. */
type Entry = readonly [names: string, text: string];

const QUALIFIERS: readonly Entry[] = [
  [
    '__global__',
    '`__global__`: a kernel, launched with `<<<grid, block>>>` and run by every thread of the grid. Returns `void`; parameters are copied, up to 32,764 bytes from compute capability 7.0 on.',
  ],
  ['__device__', '`__device__`: code or data on the GPU. A variable is in global memory for the life of the program.'],
  ['__host__', '`__host__`: code for the CPU, like everything without a qualifier. Combined with `__device__`, it is compiled for both.'],
  [
    '__shared__',
    '`__shared__`: memory shared by one block, in 32 banks of 4-byte words: lanes that access different words of the same bank wait for each other. Static arrays hold at most 48 KB; more needs `extern __shared__` and `cudaFuncSetAttribute`.',
  ],
  [
    '__constant__',
    '`__constant__`: 64 KB of read-only memory, fast when all lanes of a warp read the same address; different addresses are read one after the other. Write it with `cudaMemcpyToSymbol`.',
  ],
  ['__managed__', '`__managed__`: a variable that host and device share; pages migrate to where they are accessed.'],
  [
    '__restrict__ __restrict',
    '`{}`: promises that no other pointer accesses this memory, so loads may stay in registers or go through the read-only cache. Breaking the promise gives wrong results, not an error.',
  ],
  [
    '__launch_bounds__',
    '`__launch_bounds__(threads, blocks)`: the maximum threads per block and the desired resident blocks per multiprocessor; the compiler limits registers to fit. A launch with more threads fails.',
  ],
  [
    '__grid_constant__',
    '`__grid_constant__`: a `const` parameter that is not copied to local memory when its address is taken (compute capability 7.0 and later).',
  ],
  [
    '__cluster_dims__',
    '`__cluster_dims__(x, y, z)`: blocks per cluster. They run at the same time and can access each other’s shared memory; up to 8 are portable (compute capability 9.0 and later).',
  ],
  ['__maxnreg__', '`__maxnreg__(n)`: maximum registers per thread. Cannot be combined with `__launch_bounds__`.'],
  ['__forceinline__ __noinline__', '`{}`: whether a device function is inlined. Most are anyway.'],
  ['__align__', '`__align__(n)`: alignment in bytes. With 8 or 16, one instruction moves a whole structure of that size.'],
];

const VARIABLES: readonly Entry[] = [
  [
    'threadIdx',
    '`threadIdx`: index of the thread in its block. 32 consecutive threads (x fastest, then y, then z) form a warp, and neighbouring lanes should access neighbouring memory.',
  ],
  [
    'blockIdx',
    '`blockIdx`: index of the block in the grid; the same for all threads of a block, so a branch on it never diverges. Blocks run in no particular order.',
  ],
  ['blockDim', '`blockDim`: threads per block along each axis, at most 1,024 altogether. A multiple of 32 leaves no lane idle.'],
  ['gridDim', '`gridDim`: blocks in the grid along each axis; `gridDim * blockDim` is the step of a grid-stride loop.'],
  ['warpSize', '`warpSize`: 32 on every NVIDIA GPU so far. Not a compile-time constant.'],
];

const TYPES: readonly Entry[] = [
  ['dim3', '`dim3(x, y, z)`: dimensions of a grid or block; omitted ones are 1. x varies fastest.'],
  [
    'float2 int2 uint2 double1 short4 ushort4',
    '`{}`: 8 bytes, aligned to 8: one instruction moves it. A pointer cast to it must be aligned as well.',
  ],
  [
    'float4 int4 uint4 double2 longlong2 ulonglong2',
    '`{}`: 16 bytes, aligned to 16: one instruction moves it, the widest before compute capability 10.0. A pointer cast to it must be aligned to 16 bytes.',
  ],
  [
    'float3 int3 uint3 uchar3 char3 short3 ushort3 double3',
    '`{}`: three components, aligned like one of them: three instructions move it, and accesses to an array of them are strided. Use four components or separate arrays.',
  ],
  [
    'double4 long4 longlong4 ulong4 ulonglong4',
    '`{}`: 32 bytes, aligned to 16. Deprecated in CUDA 13; use `{}_16a` or `{}_32a`, which name the alignment.',
  ],
  ['char4 uchar4 short2 ushort2', '`{}`: 4 bytes, aligned to 4: one instruction moves it, where four single bytes take four.'],
  [
    'half __half',
    '`{}`: 16-bit floating point (5 bits of exponent, largest 65,504). Include `cuda_fp16.h`; `half2` computes two at a time, twice as fast.',
  ],
  ['half2 __half2', '`{}`: two halves in 4 bytes. `__hadd2`, `__hfma2` and others compute both at once.'],
  ['__nv_bfloat16 nv_bfloat16', '`{}`: 16-bit floating point with the range of `float` and 8 bits of precision. Include `cuda_bf16.h`.'],
  ['__nv_bfloat162 nv_bfloat162', '`{}`: two bfloat16 in 4 bytes, computed at once.'],
  ['__nv_fp8_e4m3 __nv_fp8_e5m2', '`{}`: 8-bit floating point for storage and tensor cores. Include `cuda_fp8.h`.'],
  [
    'cudaError_t',
    '`cudaError_t`: what every runtime function returns. `cudaSuccess` is 0; `cudaGetErrorString` describes it. Later calls return the errors of kernels.',
  ],
  [
    'cudaStream_t',
    '`cudaStream_t`: a queue of work for a device. Work in one stream runs in order; different streams may overlap. 0 is the default stream, which by default waits for all blocking streams.',
  ],
  ['cudaEvent_t', '`cudaEvent_t`: a point in a stream, to wait for or to measure the time between two of them.'],
  [
    'cudaDeviceProp',
    '`cudaDeviceProp`: what `cudaGetDeviceProperties` fills in. `cudaDeviceGetAttribute` is faster for single values. CUDA 13 removed several fields, such as `clockRate`.',
  ],
  [
    'cudaGraph_t cudaGraphExec_t',
    '`{}`: work and its dependencies, described once and launched many times. A `cudaGraph_t` is the description; a `cudaGraphExec_t` can be launched.',
  ],
  [
    'cudaMemPool_t',
    '`cudaMemPool_t`: the pool that `cudaMallocAsync` allocates from. `cudaMemPoolAttrReleaseThreshold` sets how much it keeps.',
  ],
  [
    'cudaTextureObject_t cudaSurfaceObject_t',
    '`{}`: a handle to a texture or surface, passed to kernels by value. CUDA 12 removed texture references (`texture<…>`).',
  ],
  [
    'cudaFuncAttributes',
    '`cudaFuncAttributes`: registers, static shared memory, local memory and maximum block size of a kernel, from `cudaFuncGetAttributes`.',
  ],
  [
    'cudaLaunchConfig_t cudaLaunchAttribute',
    '`{}`: the launch configuration for `cudaLaunchKernelEx`: dimensions, stream, and attributes such as clusters, priority and programmatic dependent launch.',
  ],
];

const BARRIERS: readonly Entry[] = [
  [
    '__syncthreads',
    '`__syncthreads()`: waits for all threads of the block that have not exited, and makes their shared and global accesses visible to each other. It orders nothing between blocks. Inside a branch, all threads or none must reach it.',
  ],
  [
    '__syncthreads_count __syncthreads_and __syncthreads_or',
    '`{}(predicate)`: a block barrier that also combines the predicates of all threads and returns the result to each.',
  ],
  [
    '__syncwarp',
    '`__syncwarp(mask)`: waits for the named lanes of the warp and orders their memory accesses. Since Volta lanes advance independently, so code that exchanges data within a warp needs it.',
  ],
  [
    '__threadfence',
    '`__threadfence()`: the whole device sees this thread’s earlier writes before its later ones. It does not wait for other threads.',
  ],
  [
    '__threadfence_block',
    '`__threadfence_block()`: orders this thread’s accesses for the threads of its block. It does not wait for them; `__syncthreads()` does.',
  ],
  [
    '__threadfence_system',
    '`__threadfence_system()`: orders this thread’s accesses for the device, the host and other devices; the slowest of the fences.',
  ],
  [
    '__nanosleep',
    '`__nanosleep(ns)`: suspends the thread for up to twice this time, so that it polls less often (compute capability 7.0 and later).',
  ],
];

const WARP: readonly Entry[] = [
  [
    '__shfl_sync',
    '`__shfl_sync(mask, value, lane, width)`: the value of another lane. All lanes in the mask must call it together; it needs no shared memory and no barrier.',
  ],
  [
    '__shfl_down_sync',
    '`__shfl_down_sync(mask, value, delta, width)`: the value of the lane `delta` above; lanes without one keep their own. The usual reduction step; only lane 0 gets the complete result.',
  ],
  [
    '__shfl_up_sync',
    '`__shfl_up_sync(mask, value, delta, width)`: the value of the lane `delta` below; the first lanes keep their own. The usual scan step.',
  ],
  [
    '__shfl_xor_sync',
    '`__shfl_xor_sync(mask, value, bits, width)`: lanes whose indices differ in these bits exchange values. A reduction with it is complete in every lane.',
  ],
  [
    '__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot',
    '`{}`: removed in CUDA 9.0 for compute capability 7.0 and later; use `{}_sync` with a mask of the participating lanes.',
  ],
  ['__ballot_sync', '`__ballot_sync(mask, predicate)`: one bit for each lane in the mask whose predicate is true; `__popc` counts them.'],
  [
    '__any_sync __all_sync',
    '`{}(mask, predicate)`: whether the predicate is true in any, or in all, lanes of the mask; every lane gets the result.',
  ],
  [
    '__match_any_sync',
    '`__match_any_sync(mask, value)`: for each lane, the mask of lanes that hold the same value. Use it to aggregate atomics by key (compute capability 7.0 and later).',
  ],
  ['__match_all_sync', '`__match_all_sync(mask, value, &same)`: the mask if all lanes hold the same value, 0 otherwise.'],
  [
    '__activemask',
    '`__activemask()`: the lanes that happen to run together now. No lane is guaranteed to be in it, so do not use it as a mask for shuffles; compute that with `__ballot_sync` before the branch.',
  ],
  [
    '__reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync',
    '`{}(mask, value)`: combines an integer over the lanes of the mask in one instruction (compute capability 8.0 and later).',
  ],
];

const ATOMICS: readonly Entry[] = [
  [
    'atomicAdd',
    '`atomicAdd(address, value)`: adds and returns the old value, for int, unsigned, 64-bit unsigned, float, double, half and bfloat16 (vectors of float from 9.0 on). Lanes that update the same word take turns; nvcc combines integer updates within a warp, never floats.',
  ],
  [
    'atomicSub atomicInc atomicDec',
    '`{}(address, value)`: 32-bit only; returns the old value. `atomicInc` wraps to 0 above `value`, `atomicDec` to `value` below 0.',
  ],
  ['atomicExch', '`atomicExch(address, value)`: stores and returns the old value in one step.'],
  [
    'atomicMin atomicMax',
    '`{}(address, value)`: 32-bit and 64-bit integers, no floats. Reading first and skipping values that cannot win saves most of them.',
  ],
  ['atomicAnd atomicOr atomicXor', '`{}(address, value)`: 32-bit and 64-bit integers; returns the old value.'],
  [
    'atomicCAS',
    '`atomicCAS(address, expected, value)`: stores if the word equals `expected`, and returns the old value, which tells whether it stored. In a loop it implements any other atomic. 16, 32, 64 and, from 9.0 on, 128 bits.',
  ],
  [
    ['Add', 'Sub', 'Exch', 'Min', 'Max', 'Inc', 'Dec', 'CAS', 'And', 'Or', 'Xor'].map((x) => `atomic${x}_block`).join(' '),
    '`{}`: atomic for the threads of one block only; cheaper if no other block accesses the word.',
  ],
  [
    ['Add', 'Sub', 'Exch', 'Min', 'Max', 'Inc', 'Dec', 'CAS', 'And', 'Or', 'Xor'].map((x) => `atomic${x}_system`).join(' '),
    '`{}`: atomic for the host and other devices as well.',
  ],
];

const COPIES: readonly Entry[] = [
  [
    '__pipeline_memcpy_async',
    '`__pipeline_memcpy_async(shared, global, bytes)`: copies 4, 8 or 16 bytes to shared memory without going through registers (cp.async, compute capability 8.0 and later). Commit, wait, and put a barrier before other threads read.',
  ],
  [
    '__pipeline_commit __pipeline_wait_prior',
    '`{}`: closes a batch of asynchronous copies, or waits until all but the last n batches have arrived. It waits for this thread’s copies only.',
  ],
  [
    'memcpy_async',
    '`memcpy_async(group, to, from, bytes)`: copies to shared memory in the background; call `wait(group)`, or put a barrier, before the data is read. Asynchronous where alignment and size allow (cp.async from 8.0 on, TMA from 9.0 on).',
  ],
  [
    '__ldg',
    '`__ldg(pointer)`: a load through the read-only cache. The data must not change while the kernel runs. With `const … __restrict__` the compiler does it for you.',
  ],
  [
    '__ldcg __ldca __ldcs __ldcv __ldlu',
    '`{}(pointer)`: a load with a cache hint: `cg` caches in L2 only, `ca` at all levels, `cs` used once, `cv` not cached, `lu` last use.',
  ],
  ['__stwb __stcg __stcs __stwt', '`{}(pointer, value)`: a store with a cache hint.'],
  ['__cvta_generic_to_shared', '`__cvta_generic_to_shared(pointer)`: the address within shared memory, as inline PTX needs it.'],
];

const GROUPS: readonly Entry[] = [
  [
    'cooperative_groups',
    '`cooperative_groups`: groups of threads as values, with `sync()`, ranks, shuffles and reductions. Include `cooperative_groups.h`; usually `namespace cg = cooperative_groups`.',
  ],
  ['this_thread_block', '`this_thread_block()`: the block as a group; its `sync()` is `__syncthreads()`.'],
  [
    'this_grid',
    '`this_grid()`: all threads of the grid. `sync()` needs a launch with `cudaLaunchCooperativeKernel` and all blocks resident.',
  ],
  [
    'this_cluster',
    '`this_cluster()`: the blocks of a cluster, with `map_shared_rank` for each other’s shared memory (compute capability 9.0 and later).',
  ],
  ['this_multi_grid', '`this_multi_grid()`: removed in CUDA 13.'],
  [
    'tiled_partition',
    '`tiled_partition<n>(group)`: groups of n consecutive threads, n a power of two. Up to 32 they are lanes of one warp and can shuffle. As a template argument, the size is a compile-time constant.',
  ],
  ['coalesced_threads', '`coalesced_threads()`: the lanes that run together at this point. Which lanes these are is not guaranteed.'],
  [
    'thread_block thread_block_tile coalesced_group grid_group cluster_group',
    '`{}`: a group of threads (cooperative groups). `size()`, `thread_rank()` and `sync()` refer to the group.',
  ],
  ['thread_rank', '`thread_rank()`: index of the thread in its group, from 0. In a tile of a warp, the lane.'],
  ['num_threads', '`num_threads()`: number of threads in the group.'],
  ['meta_group_rank meta_group_size', '`{}()`: index of this tile in its partition, or the number of tiles.'],
  ['binary_partition labeled_partition', '`{}(group, value)`: one group for the threads with each value.'],
  ['invoke_one', '`invoke_one(group, function)`: runs the function in one thread of the group.'],
];

const MATH: readonly Entry[] = [
  [
    '__fdividef __sinf __cosf __sincosf __tanf __expf __exp10f __logf __log2f __log10f __powf',
    '`{}`: faster and less accurate than the function without underscores; `--use_fast_math` uses it everywhere.',
  ],
  ['rsqrtf rsqrt', '`{}(x)`: 1/√x, faster than a square root and a division.'],
  ['fmaf fma __fmaf_rn', '`{}(a, b, c)`: a·b + c with one rounding. nvcc generates it from `a * b + c` unless `-fmad=false` is given.'],
  ['__popc __popcll', '`{}(x)`: number of set bits.'],
  ['__clz __clzll', '`{}(x)`: number of leading zeros; 32 (64) for 0.'],
  ['__ffs __ffsll', '`{}(x)`: position of the lowest set bit, counted from 1; 0 for 0.'],
  ['__brev __brevll', '`{}(x)`: the bits in reverse order.'],
  ['__umulhi __mulhi __umul64hi __mul64hi', '`{}(a, b)`: the upper half of the product.'],
  ['__byte_perm', '`__byte_perm(a, b, selector)`: picks four bytes out of eight.'],
  ['__funnelshift_l __funnelshift_r', '`{}(low, high, shift)`: 32 bits of a shifted pair of words; use it for rotations.'],
  ['__dp4a __dp2a', '`{}(a, b, c)`: dot product of small integers, added to c, in one instruction (compute capability 6.1 and later).'],
  [
    'clock64 clock',
    '`{}()`: the multiprocessor’s cycle counter. Differences are meaningful within one block only, and the compiler may move the call.',
  ],
  [
    '__half2float __float2half __float2half_rn __low2float __high2float __floats2half2_rn __half22float2 __float22half2_rn __bfloat162float __float2bfloat16 __float2bfloat16_rn',
    '`{}`: converts between `float` and 16-bit floating point in one instruction.',
  ],
  ['__hadd2 __hmul2 __hfma2 __hsub2 __h2div', '`{}`: operates on both halves of a `half2` at once.'],
  [
    '__fadd_rn __fsub_rn __fmul_rn __fdiv_rn __frcp_rn __fsqrt_rn __frsqrt_rn __dadd_rn __dmul_rn __ddiv_rn',
    '`{}`: rounded as the name says (`rn` nearest, `rz` to zero, `ru` up, `rd` down) and never merged into an fma.',
  ],
  [
    '__hadd __hsub __hmul __hdiv __hfma __hneg __hgt __hlt',
    '`{}`: operates on one half or bfloat16. The versions for two at once (`half2`) are twice as fast.',
  ],
  ['__saturatef', '`__saturatef(x)`: x clamped to [0, 1], usually at no extra instruction.'],
  [
    '__float_as_int __int_as_float __float_as_uint __uint_as_float __double_as_longlong __longlong_as_double',
    '`{}`: reinterprets the same bits as another type, at no cost.',
  ],
  ['__assert_fail __trap __brkpt', '`{}`: ends the kernel with an error (or stops in the debugger); the context is unusable after a trap.'],
  ['__builtin_assume __builtin_expect', '`{}`: tells the compiler what is true, or likely.'],
  ['__isShared __isGlobal __isConstant __isLocal', '`{}(pointer)`: whether a generic pointer points to this memory.'],
];

const MEMORY: readonly Entry[] = [
  [
    'cudaMalloc',
    '`cudaMalloc(&pointer, bytes)`: global memory of the current device, aligned to at least 256 bytes. It may wait for the device; keep it out of loops.',
  ],
  ['cudaMallocAsync cudaFreeAsync', '`{}`: stream-ordered memory from a pool, without waiting for the device.'],
  ['cudaFree', '`cudaFree(pointer)`: waits for the device, then frees. Null is allowed.'],
  [
    'cudaMallocManaged',
    '`cudaMallocManaged(&pointer, bytes)`: memory for host and device. Pages migrate on first access; `cudaMemPrefetchAsync` before a kernel avoids its page faults.',
  ],
  [
    'cudaMallocHost cudaHostAlloc',
    '`{}`: pinned host memory: copies are faster, and only they are truly asynchronous. Free it with `cudaFreeHost`; too much of it slows the system.',
  ],
  ['cudaHostRegister', '`cudaHostRegister(pointer, bytes, flags)`: pins existing memory.'],
  ['cudaFreeHost', '`cudaFreeHost(pointer)`: frees pinned memory.'],
  ['cudaMallocPitch cudaMalloc3D', '`{}`: rows padded so that each starts aligned; the pitch is in bytes.'],
  [
    'cudaMemcpy',
    '`cudaMemcpy(to, from, bytes, kind)`: waits until the copy is done (device to device: until it is queued) and for earlier work of the default stream. `cudaMemcpyDefault` infers the direction.',
  ],
  [
    'cudaMemcpyAsync',
    '`cudaMemcpyAsync(to, from, bytes, kind, stream)`: a copy in stream order. Pageable host memory goes through a staging buffer and may block; pinned memory overlaps.',
  ],
  ['cudaMemcpy2D cudaMemcpy2DAsync cudaMemcpy3D', '`{}`: rows with a pitch; widths and pitches are in bytes.'],
  [
    'cudaMemcpyToSymbol cudaMemcpyFromSymbol',
    '`{}(symbol, …)`: copies to or from a `__constant__` or `__device__` variable, named without quotes or `&`.',
  ],
  ['cudaMemset cudaMemsetAsync', '`{}(pointer, value, bytes)`: sets bytes, so for an `int` only 0 and -1 give the expected value.'],
  [
    'cudaMemPrefetchAsync cudaMemAdvise',
    '`{}`: moves managed memory before it is accessed, or advises how it is used. Takes a `cudaMemLocation` since CUDA 13.',
  ],
  ['cudaMemGetInfo', '`cudaMemGetInfo(&free, &total)`: free and total bytes of the current device.'],
  [
    'cudaMemcpyPeer cudaMemcpyPeerAsync cudaDeviceEnablePeerAccess',
    '`{}`: copies between devices: directly once peer access is enabled, through the host otherwise.',
  ],
  [
    'cudaMemcpyHostToDevice cudaMemcpyDeviceToHost cudaMemcpyDeviceToDevice cudaMemcpyDefault',
    '`{}`: the direction of a copy; `cudaMemcpyDefault` infers it from the pointers.',
  ],
];

const RUNTIME: readonly Entry[] = [
  [
    'cudaGetLastError',
    '`cudaGetLastError()`: returns the last error and resets it. After a launch it reports an invalid configuration; faults appear at the next synchronisation.',
  ],
  ['cudaPeekAtLastError', '`cudaPeekAtLastError()`: returns the last error without resetting it.'],
  ['cudaGetErrorString cudaGetErrorName', '`{}(error)`: a description of an error, or its name.'],
  [
    'cudaDeviceSynchronize',
    '`cudaDeviceSynchronize()`: waits for all work on the device and returns errors of kernels. Removed from device code in CUDA 12.',
  ],
  ['cudaSetDevice', '`cudaSetDevice(device)`: selects the device for this host thread. Since CUDA 12 it also creates the context.'],
  ['cudaGetDevice cudaGetDeviceCount', '`{}`: the current device, or the number of devices (those in `CUDA_VISIBLE_DEVICES`).'],
  [
    'cudaGetDeviceProperties',
    '`cudaGetDeviceProperties(&properties, device)`: slow (milliseconds); call it once, or use `cudaDeviceGetAttribute`.',
  ],
  ['cudaDeviceGetAttribute', '`cudaDeviceGetAttribute(&value, attribute, device)`: one property, fast.'],
  ['cudaDeviceReset', '`cudaDeviceReset()`: frees everything that the process has on the device. Not needed at the end of a program.'],
  ['cudaDeviceGetLimit', '`cudaDeviceGetLimit(&value, limit)`: stack, printf buffer, device heap, L2 set-aside and more.'],
  [
    'cudaDeviceSetLimit',
    '`cudaDeviceSetLimit(limit, value)`: stack, printf buffer, device heap, L2 set-aside and more; call it before the first kernel.',
  ],
  [
    'cudaFuncSetAttribute',
    '`cudaFuncSetAttribute(kernel, attribute, value)`: set `cudaFuncAttributeMaxDynamicSharedMemorySize` for more than 48 KB of dynamic shared memory, once per kernel and device, before the launch.',
  ],
  [
    'cudaFuncGetAttributes',
    '`cudaFuncGetAttributes(&attributes, kernel)`: registers, static shared memory, local memory and maximum block size of a kernel.',
  ],
  [
    'cudaFuncAttributeMaxDynamicSharedMemorySize',
    '`cudaFuncAttributeMaxDynamicSharedMemorySize`: allows this many bytes of dynamic shared memory per block; up to 48 KB need no opt-in.',
  ],
  [
    'cudaFuncSetCacheConfig cudaDeviceSetCacheConfig',
    '`{}`: a hint how to divide L1 and shared memory; on current devices the driver decides.',
  ],
  [
    'cudaOccupancyMaxActiveBlocksPerMultiprocessor',
    '`cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, sharedBytes)`: resident blocks per multiprocessor, registers included. Multiply by the number of multiprocessors for the largest cooperative grid.',
  ],
  [
    'cudaOccupancyMaxPotentialBlockSize',
    '`cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel)`: the block size with the highest occupancy, and the smallest grid that fills the device. High occupancy is not always fastest.',
  ],
  [
    'cudaLaunchKernel',
    '`cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream)`: what `<<<>>>` compiles to; arguments are pointers to the values.',
  ],
  [
    'cudaLaunchCooperativeKernel',
    '`cudaLaunchCooperativeKernel(…)`: a launch in which `grid.sync()` works. All blocks must be resident at once, or it fails with cudaErrorCooperativeLaunchTooLarge.',
  ],
  [
    'cudaLaunchKernelEx',
    '`cudaLaunchKernelEx(&config, kernel, arguments…)`: a launch with attributes: clusters, priorities, programmatic dependent launch.',
  ],
  ['cudaSuccess', '`cudaSuccess`: 0, no error.'],
];

const STREAMS: readonly Entry[] = [
  [
    'cudaStreamCreate',
    '`cudaStreamCreate(&stream)`: a stream that synchronises with the default stream; one from `cudaStreamCreateWithFlags(…, cudaStreamNonBlocking)` does not.',
  ],
  [
    'cudaStreamCreateWithFlags cudaStreamCreateWithPriority',
    '`{}`: with `cudaStreamNonBlocking` it does not synchronise with the default stream; lower numbers are higher priorities.',
  ],
  ['cudaStreamNonBlocking', '`cudaStreamNonBlocking`: creates a stream that does not synchronise with the default stream.'],
  ['cudaStreamSynchronize', '`cudaStreamSynchronize(stream)`: waits for the work in one stream.'],
  ['cudaStreamQuery cudaEventQuery', '`{}`: `cudaSuccess` if the work is done, `cudaErrorNotReady` otherwise; does not wait.'],
  ['cudaStreamDestroy', '`cudaStreamDestroy(stream)`: returns at once; the stream is destroyed when its work is done.'],
  ['cudaStreamWaitEvent', '`cudaStreamWaitEvent(stream, event)`: later work in the stream waits for the event; the host does not.'],
  [
    'cudaStreamSetAttribute',
    '`cudaStreamSetAttribute(stream, attribute, &value)`: sets, for example, an access-policy window that keeps data in L2.',
  ],
  ['cudaStreamPerThread cudaStreamLegacy', '`{}`: the default stream of each host thread, or the one that waits for all blocking streams.'],
  ['cudaEventCreate cudaEventCreateWithFlags', '`{}`: with `cudaEventDisableTiming`, events only order work and are cheaper.'],
  ['cudaEventRecord', '`cudaEventRecord(event, stream)`: marks the point at which all earlier work in the stream is done.'],
  ['cudaEventSynchronize', '`cudaEventSynchronize(event)`: the host waits for the event.'],
  [
    'cudaEventElapsedTime',
    '`cudaEventElapsedTime(&ms, start, end)`: milliseconds on the device, to about half a microsecond. Both events must have completed: synchronise with the last.',
  ],
  ['cudaEventDestroy', '`cudaEventDestroy(event)`: frees an event.'],
  [
    'cudaLaunchHostFunc',
    '`cudaLaunchHostFunc(stream, function, data)`: the host calls the function in stream order; it must not call CUDA.',
  ],
];

const GRAPHS: readonly Entry[] = [
  [
    'cudaStreamBeginCapture cudaStreamEndCapture',
    '`{}`: between the two, work in the stream does not run but becomes a graph. Calls that wait for the device are not allowed in between.',
  ],
  ['cudaGraphCreate', '`cudaGraphCreate(&graph, 0)`: creates an empty graph, to which nodes are added by hand.'],
  [
    'cudaGraphAddKernelNode cudaGraphAddMemcpyNode cudaGraphAddMemsetNode cudaGraphAddHostNode cudaGraphAddNode',
    '`{}`: adds a node that starts when the nodes it depends on are done.',
  ],
  [
    'cudaGraphInstantiate',
    '`cudaGraphInstantiate(&executable, graph)`: validates and prepares a graph; expensive, so do it once, outside loops.',
  ],
  [
    'cudaGraphLaunch',
    '`cudaGraphLaunch(executable, stream)`: launches the whole graph with one call, which saves launch overhead of many short kernels.',
  ],
  ['cudaGraphExecUpdate cudaGraphExecKernelNodeSetParams', '`{}`: changes parameters without instantiating again.'],
  ['cudaGraphDestroy cudaGraphExecDestroy', '`{}`: frees a graph, or an instantiated one.'],
];

const MACROS: readonly Entry[] = [
  [
    '__CUDA_ARCH__',
    '`__CUDA_ARCH__`: in device code, the compute capability being compiled for, times 100 (900 for 9.0). It is undefined in host code, so declarations that both see must not depend on it.',
  ],
  ['__CUDACC__ __NVCC__', '`{}`: defined when nvcc compiles the file, host code included.'],
  ['CUDART_VERSION', '`CUDART_VERSION`: version of the runtime headers: 13000 for CUDA 13.0.'],
];

const VECTORS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'longlong', 'ulonglong', 'float', 'double'];
const MAKERS: readonly Entry[] = [
  [VECTORS.flatMap((type) => [2, 3, 4].map((n) => `make_${type}${n}`)).join(' '), '`{}(…)`: creates a vector from its components.'],
];

const TEXTURES: readonly Entry[] = [
  [
    'cudaCreateTextureObject cudaDestroyTextureObject',
    '`{}`: a texture object, passed to kernels by value: filtering, addressing modes and normalised coordinates in hardware.',
  ],
  [
    'cudaCreateSurfaceObject cudaDestroySurfaceObject',
    '`{}`: a surface object: an array that kernels can also write. x coordinates are in bytes.',
  ],
  [
    'cudaTextureDesc cudaResourceDesc cudaChannelFormatDesc cudaCreateChannelDesc',
    '`{}`: describes what a texture reads from and how; zero all of it first.',
  ],
  [
    'cudaMallocArray cudaFreeArray cudaMemcpy2DToArray',
    '`{}`: memory in a hardware-specific layout for textures and surfaces; neighbours in two dimensions are close.',
  ],
  ['tex1D tex2D tex3D tex2DLayered texCubemap', '`{}`: a filtered read through the texture cache. The centre of element i is at i + 0.5.'],
  ['tex1Dfetch', '`tex1Dfetch`: an unfiltered read of linear memory by integer index. On current devices `__ldg` does the same.'],
];

const MATRICES: readonly Entry[] = [
  [
    'wmma',
    '`wmma` (namespace `nvcuda`): matrix operations on tensor cores, with fragments spread over a warp (compute capability 7.0 and later). All lanes must call it together.',
  ],
  [
    'load_matrix_sync store_matrix_sync fill_fragment mma_sync',
    '`{}`: called by all lanes of the warp together. Which lane holds which element of a fragment is unspecified; pointers must be aligned to 32 bytes.',
  ],
];

const RANDOM: readonly Entry[] = [
  ['curand_init', '`curand_init(seed, sequence, offset, &state)`: expensive with one sequence per thread: run it once, in its own kernel.'],
  [
    'curand_uniform curand_normal curand',
    '`{}(&state)`: the next number. Copy the state to a local variable before a loop, and back afterwards.',
  ],
];

const TABLES = [
  QUALIFIERS,
  VARIABLES,
  TYPES,
  BARRIERS,
  WARP,
  ATOMICS,
  COPIES,
  GROUPS,
  MATH,
  MEMORY,
  RUNTIME,
  STREAMS,
  GRAPHS,
  MACROS,
  MAKERS,
  TEXTURES,
  MATRICES,
  RANDOM,
];

const TEXTS: ReadonlyMap<string, string> = new Map(
  TABLES.flat().flatMap(([names, text]) => names.split(' ').map((name): [string, string] => [name, text.replaceAll('{}', name)])),
);

/** Words that are often variables: what must follow for them to be CUDA's. */
const FOLLOWED_BY: ReadonlyMap<string, RegExp> = new Map([
  ...['clock', 'clock64', 'fma', 'fmaf', 'rsqrt', 'rsqrtf', 'num_threads', 'thread_rank', 'curand'].map((name): [string, RegExp] => [
    name,
    /^\s*\(/,
  ]),
  ...['half', 'half2', 'thread_block'].map((name): [string, RegExp] => [name, /^(\s+[A-Za-z_]|\s*[>(]|\s*\*\s*([,>)]|__restrict))/]),
]);

/** Undefined for names that are not CUDA's; `after` is the text that follows the name. */
export function builtin(name: string, after: string): string | undefined {
  return FOLLOWED_BY.get(name)?.test(after) === false ? undefined : TEXTS.get(name);
}

/** All texts, once each, with `{name}` in place of the names that share one. */
export function builtinTemplates(): readonly string[] {
  return TABLES.flat().map(([, text]) => text.replaceAll('{}', '{name}'));
}

export function builtinNames(): readonly string[] {
  return [...TEXTS.keys()];
}
