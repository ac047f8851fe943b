/**
 * One line on each of CUDA's names and what to know about it. Sources: CUDA C++ Programming Guide 13.0 (language extensions, cooperative
 * groups, asynchronous copies, graphs), CUDA Runtime API 13.0, CUDA Math API 13.0, CUDA C++ Best Practices Guide.
 */

/** Names with a common text; `{}` is the name. */
type Entry = readonly [names: string, text: string];

const QUALIFIERS: readonly Entry[] = [
  [
    '__global__',
    '`__global__`: a kernel, launched with `<<<grid, block>>>` and run by every thread of the grid. Returns `void`; parameters are copied, up to 32,764 bytes from compute capability 7.0 on.',
  ],
  ['__device__', '`__device__`: code or data of the GPU. A variable lives in global memory as long as the program does.'],
  ['__host__', '`__host__`: code of the CPU, as is everything without a qualifier. With `__device__` it is compiled for both.'],
  [
    '__shared__',
    '`__shared__`: memory of one block, in 32 banks of 4-byte words: lanes that touch different words of one bank wait for each other. Static arrays hold 48 KB at most; more needs `extern __shared__` and `cudaFuncSetAttribute`.',
  ],
  [
    '__constant__',
    '`__constant__`: 64 KB of read-only memory, fast when all lanes of a warp read the same address; different addresses are read one after the other. Written with `cudaMemcpyToSymbol`.',
  ],
  ['__managed__', '`__managed__`: a variable that host and device both use; pages move to where they are touched.'],
  [
    '__restrict__ __restrict',
    '`{}`: promises that no other pointer reaches this memory, so loads may be kept in registers or go through the read-only cache. Breaking the promise gives wrong results, not an error.',
  ],
  [
    '__launch_bounds__',
    '`__launch_bounds__(threads, blocks)`: promises the largest block and asks for this many resident blocks; the compiler limits registers to fit. A launch with more threads fails.',
  ],
  [
    '__grid_constant__',
    '`__grid_constant__`: a `const` parameter that is not copied to local memory when its address is taken (compute capability 7.0 and later).',
  ],
  [
    '__cluster_dims__',
    '`__cluster_dims__(x, y, z)`: blocks of a cluster, which run together and reach each other’s shared memory; up to 8 everywhere (compute capability 9.0 and later).',
  ],
  ['__maxnreg__', '`__maxnreg__(n)`: most registers per thread. Not together with `__launch_bounds__`.'],
  ['__forceinline__ __noinline__', '`{}`: whether a device function is expanded where it is called. Functions mostly are anyway.'],
  ['__align__', '`__align__(n)`: alignment in bytes. 8 or 16 lets one instruction move a whole structure of that size.'],
];

const VARIABLES: readonly Entry[] = [
  [
    'threadIdx',
    '`threadIdx`: index of the thread in its block. 32 consecutive threads (x fastest, then y, then z) form a warp, and neighbouring lanes should touch neighbouring memory.',
  ],
  [
    'blockIdx',
    '`blockIdx`: index of the block in the grid; the same for all threads of a block, so a branch on it never splits a warp. Blocks run in no particular order.',
  ],
  ['blockDim', '`blockDim`: threads per block along each axis, at most 1,024 altogether. A multiple of 32 leaves no lane idle.'],
  ['gridDim', '`gridDim`: blocks in the grid along each axis; with `blockDim` it gives the step of a grid-stride loop.'],
  ['warpSize', '`warpSize`: 32 on every NVIDIA GPU so far. Not a compile-time constant.'],
];

const TYPES: readonly Entry[] = [
  ['dim3', '`dim3(x, y, z)`: sizes of a grid or block; what is left out is 1. x is the fastest axis.'],
  [
    'float2 int2 uint2 double1 short4 ushort4',
    '`{}`: 8 bytes with an alignment of 8: one instruction moves it. A pointer that is cast to it must be aligned as well.',
  ],
  [
    'float4 int4 uint4 double2 longlong2 ulonglong2',
    '`{}`: 16 bytes with an alignment of 16: one instruction moves it, the widest before compute capability 10.0. A pointer that is cast to it must be aligned to 16 bytes.',
  ],
  [
    'float3 int3 uint3 uchar3 char3 short3 ushort3 double3',
    '`{}`: three components, aligned as one of them: three instructions move it, and an array of them is strided. Four components or separate arrays move better.',
  ],
  [
    'double4 long4 longlong4 ulong4 ulonglong4',
    '`{}`: 32 bytes with an alignment of 16. Deprecated since CUDA 13: `{}_16a` or `{}_32a` say the alignment.',
  ],
  ['char4 uchar4 short2 ushort2', '`{}`: 4 bytes with an alignment of 4: one instruction moves it, where four single bytes take four.'],
  [
    'half __half',
    '`{}`: 16-bit floating point (5 bits of exponent, largest 65,504). Include `cuda_fp16.h`; two at a time, as `half2`, compute twice as fast.',
  ],
  ['half2 __half2', '`{}`: two halves in 4 bytes. `__hadd2`, `__hfma2` and kin do both at once.'],
  ['__nv_bfloat16 nv_bfloat16', '`{}`: 16-bit floating point with the range of `float` and 8 bits of precision. Include `cuda_bf16.h`.'],
  ['__nv_bfloat162 nv_bfloat162', '`{}`: two bfloat16 in 4 bytes, computed at once.'],
  ['__nv_fp8_e4m3 __nv_fp8_e5m2', '`{}`: 8-bit floating point for storage and tensor cores. Include `cuda_fp8.h`.'],
  [
    'cudaError_t',
    '`cudaError_t`: what every runtime function returns. `cudaSuccess` is 0; `cudaGetErrorString` says it in words. Errors of kernels show at later calls.',
  ],
  [
    'cudaStream_t',
    '`cudaStream_t`: a queue of work for a device. Work of one stream runs in order; different streams may overlap. 0 is the default stream, which by default waits for all blocking streams.',
  ],
  ['cudaEvent_t', '`cudaEvent_t`: a point in a stream, to wait for or to measure time between two of them.'],
  [
    'cudaDeviceProp',
    '`cudaDeviceProp`: what `cudaGetDeviceProperties` fills in. Single values come faster from `cudaDeviceGetAttribute`; several fields are gone with CUDA 13 (`clockRate` among them).',
  ],
  [
    'cudaGraph_t cudaGraphExec_t',
    '`{}`: work and its dependencies, described once and launched many times. A `cudaGraph_t` is the description, a `cudaGraphExec_t` what can be launched.',
  ],
  [
    'cudaMemPool_t',
    '`cudaMemPool_t`: where `cudaMallocAsync` takes memory from. `cudaMemPoolAttrReleaseThreshold` decides how much it keeps.',
  ],
  [
    'cudaTextureObject_t cudaSurfaceObject_t',
    '`{}`: a handle of a texture or surface, passed to kernels by value. References (`texture<…>`) are gone with CUDA 12.',
  ],
  [
    'cudaFuncAttributes',
    '`cudaFuncAttributes`: registers, static shared memory, local memory and largest block of a kernel, from `cudaFuncGetAttributes`.',
  ],
  [
    'cudaLaunchConfig_t cudaLaunchAttribute',
    '`{}`: what `cudaLaunchKernelEx` takes: sizes, stream, and attributes such as clusters, priority and programmatic dependence.',
  ],
];

const BARRIERS: readonly Entry[] = [
  [
    '__syncthreads',
    '`__syncthreads()`: waits for all threads of the block that have not exited and orders their shared and global accesses among themselves. It orders nothing between blocks. In a branch, all threads or none must come to it.',
  ],
  [
    '__syncthreads_count __syncthreads_and __syncthreads_or',
    '`{}(predicate)`: a block barrier that also combines the predicate of all threads and gives each the result.',
  ],
  [
    '__syncwarp',
    '`__syncwarp(mask)`: waits for the named lanes of the warp and orders their memory accesses. Since Volta lanes advance independently, so code that exchanges data within a warp needs it.',
  ],
  [
    '__threadfence',
    '`__threadfence()`: what this thread wrote before is visible to the whole device before what it writes after. It does not wait for other threads.',
  ],
  [
    '__threadfence_block',
    '`__threadfence_block()`: orders this thread’s accesses for the threads of its block. It does not wait for them: that is what `__syncthreads()` does.',
  ],
  [
    '__threadfence_system',
    '`__threadfence_system()`: orders this thread’s accesses for the device, the host and other devices; the slowest of the fences.',
  ],
  [
    '__nanosleep',
    '`__nanosleep(ns)`: suspends the thread for up to twice this time, to poll less often (compute capability 7.0 and later).',
  ],
];

const WARP: readonly Entry[] = [
  [
    '__shfl_sync',
    '`__shfl_sync(mask, value, lane, width)`: the value that another lane holds. All lanes of the mask must call it together; no shared memory, no barrier.',
  ],
  [
    '__shfl_down_sync',
    '`__shfl_down_sync(mask, value, delta, width)`: the value of the lane that is `delta` above; lanes without one keep their own. The usual step of a reduction, complete in lane 0 only.',
  ],
  [
    '__shfl_up_sync',
    '`__shfl_up_sync(mask, value, delta, width)`: the value of the lane that is `delta` below; the first lanes keep their own. The usual step of a scan.',
  ],
  [
    '__shfl_xor_sync',
    '`__shfl_xor_sync(mask, value, bits, width)`: lanes whose numbers differ in these bits exchange. A reduction with it is complete in every lane.',
  ],
  [
    '__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot',
    '`{}`: gone since CUDA 9.0 for compute capability 7.0 and later: use `{}_sync` with the mask of the lanes that take part.',
  ],
  ['__ballot_sync', '`__ballot_sync(mask, predicate)`: a bit for each lane of the mask whose predicate holds; `__popc` counts them.'],
  [
    '__any_sync __all_sync',
    '`{}(mask, predicate)`: whether the predicate holds in any, or all, lanes of the mask; every lane gets the answer.',
  ],
  [
    '__match_any_sync',
    '`__match_any_sync(mask, value)`: for each lane, which lanes hold the same value: the way to aggregate atomics by key (compute capability 7.0 and later).',
  ],
  ['__match_all_sync', '`__match_all_sync(mask, value, &same)`: the mask if all lanes hold the same value, 0 otherwise.'],
  [
    '__activemask',
    '`__activemask()`: lanes that happen to run together now. No lane is promised to be in it, so it is no mask for shuffles: compute that with `__ballot_sync` before the branch.',
  ],
  [
    '__reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync',
    '`{}(mask, value)`: combines an integer over the lanes of the mask in one instruction (compute capability 8.0 and later).',
  ],
];

const ATOMICS: readonly Entry[] = [
  [
    'atomicAdd',
    '`atomicAdd(address, value)`: adds and gives the old value, for int, unsigned, 64-bit unsigned, float, double, half and bfloat16 (and vectors of float from 9.0 on). Lanes on one word take turns; nvcc combines integers of a warp, never floats.',
  ],
  [
    'atomicSub atomicInc atomicDec',
    '`{}(address, value)`: 32-bit only, gives the old value. `atomicInc` wraps to 0 above `value`, `atomicDec` to `value` below 0.',
  ],
  ['atomicExch', '`atomicExch(address, value)`: stores and gives the old value, as one step.'],
  [
    'atomicMin atomicMax',
    '`{}(address, value)`: integers of 32 and 64 bits, no floats. Reading first and skipping what cannot win saves most of them.',
  ],
  ['atomicAnd atomicOr atomicXor', '`{}(address, value)`: integers of 32 and 64 bits; gives the old value.'],
  [
    'atomicCAS',
    '`atomicCAS(address, expected, value)`: stores if the word is as expected; gives what was there, which tells whether it stored. The loop to build any other atomic from. 16, 32, 64 and, from 9.0 on, 128 bits.',
  ],
  [
    ['Add', 'Sub', 'Exch', 'Min', 'Max', 'Inc', 'Dec', 'CAS', 'And', 'Or', 'Xor'].map((x) => `atomic${x}_block`).join(' '),
    '`{}`: atomic for the threads of one block only; cheaper where no other block touches the word.',
  ],
  [
    ['Add', 'Sub', 'Exch', 'Min', 'Max', 'Inc', 'Dec', 'CAS', 'And', 'Or', 'Xor'].map((x) => `atomic${x}_system`).join(' '),
    '`{}`: atomic for the host and other devices, too.',
  ],
];

const COPIES: readonly Entry[] = [
  [
    '__pipeline_memcpy_async',
    '`__pipeline_memcpy_async(shared, global, bytes)`: copies 4, 8 or 16 bytes to shared memory without registers (cp.async, compute capability 8.0 and later). Commit, wait, and then a barrier before other threads read.',
  ],
  [
    '__pipeline_commit __pipeline_wait_prior',
    '`{}`: closes a batch of asynchronous copies, or waits until all but the last n batches have arrived. It waits for this thread’s copies only.',
  ],
  [
    'memcpy_async',
    '`memcpy_async(group, to, from, bytes)`: copies to shared memory in the background; `wait(group)` or a barrier must come before the data is read. Asynchronous where alignment and size allow (cp.async from 8.0 on, TMA from 9.0 on).',
  ],
  [
    '__ldg',
    '`__ldg(pointer)`: a load through the read-only cache. The data must not change while the kernel runs; `const … __restrict__` lets the compiler do it.',
  ],
  [
    '__ldcg __ldca __ldcs __ldcv __ldlu',
    '`{}(pointer)`: a load with a cache hint: `cg` in L2 only, `ca` in all levels, `cs` used once, `cv` not cached, `lu` last use.',
  ],
  ['__stwb __stcg __stcs __stwt', '`{}(pointer, value)`: a store with a cache hint.'],
  ['__cvta_generic_to_shared', '`__cvta_generic_to_shared(pointer)`: the address within shared memory, as inline PTX wants it.'],
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
  ['this_multi_grid', '`this_multi_grid()`: gone with CUDA 13.'],
  [
    'tiled_partition',
    '`tiled_partition<n>(group)`: groups of n consecutive threads, n a power of two; up to 32 they are lanes of one warp, with shuffles. The size as a template argument makes it a constant.',
  ],
  ['coalesced_threads', '`coalesced_threads()`: lanes that run together at this point. Which ones these are is not promised.'],
  [
    'thread_block thread_block_tile coalesced_group grid_group cluster_group',
    '`{}`: a group of threads (cooperative groups). `size()`, `thread_rank()` and `sync()` are those of the group.',
  ],
  ['thread_rank', '`thread_rank()`: number of the thread in its group, from 0. In a tile of a warp: the lane.'],
  ['num_threads', '`num_threads()`: threads of the group.'],
  ['meta_group_rank meta_group_size', '`{}()`: number of this tile among those of the partition, or how many there are.'],
  ['binary_partition labeled_partition', '`{}(group, value)`: one group for the threads with each value.'],
  ['invoke_one', '`invoke_one(group, function)`: one thread of the group runs it.'],
];

const MATH: readonly Entry[] = [
  [
    '__fdividef __sinf __cosf __sincosf __tanf __expf __exp10f __logf __log2f __log10f __powf',
    '`{}`: fast and less exact than the function without underscores; `--use_fast_math` puts it in everywhere.',
  ],
  ['rsqrtf rsqrt', '`{}(x)`: 1/√x, faster than a square root and a division.'],
  ['fmaf fma __fmaf_rn', '`{}(a, b, c)`: a·b + c with one rounding. nvcc makes it from `a * b + c` by itself unless `-fmad=false`.'],
  ['__popc __popcll', '`{}(x)`: bits that are set.'],
  ['__clz __clzll', '`{}(x)`: leading zeros; 32 (64) for 0.'],
  ['__ffs __ffsll', '`{}(x)`: the lowest bit that is set, counted from 1; 0 for 0.'],
  ['__brev __brevll', '`{}(x)`: the bits in reverse.'],
  ['__umulhi __mulhi __umul64hi __mul64hi', '`{}(a, b)`: upper half of the product.'],
  ['__byte_perm', '`__byte_perm(a, b, selector)`: four bytes out of eight.'],
  ['__funnelshift_l __funnelshift_r', '`{}(low, high, shift)`: 32 bits out of a shifted pair, as for rotations.'],
  ['__dp4a __dp2a', '`{}(a, b, c)`: dot product of small integers, added to c, in one instruction (compute capability 6.1 and later).'],
  ['clock64 clock', '`{}()`: cycles of the multiprocessor. Differences make sense within one block, and the compiler may move it.'],
  [
    '__half2float __float2half __float2half_rn __low2float __high2float __floats2half2_rn __half22float2 __float22half2_rn __bfloat162float __float2bfloat16 __float2bfloat16_rn',
    '`{}`: conversion between `float` and 16-bit floating point; one instruction.',
  ],
  ['__hadd2 __hmul2 __hfma2 __hsub2 __h2div', '`{}`: on both halves of a `half2` at once.'],
  [
    '__fadd_rn __fsub_rn __fmul_rn __fdiv_rn __frcp_rn __fsqrt_rn __frsqrt_rn __dadd_rn __dmul_rn __ddiv_rn',
    '`{}`: rounded as the name says (`rn` nearest, `rz` to zero, `ru` up, `rd` down) and never merged into an fma.',
  ],
  ['__hadd __hsub __hmul __hdiv __hfma __hneg __hgt __hlt', '`{}`: one half or bfloat16. On two at once (`half2`) it is twice as fast.'],
  ['__saturatef', '`__saturatef(x)`: x limited to 0 to 1, without an instruction of its own as a rule.'],
  [
    '__float_as_int __int_as_float __float_as_uint __uint_as_float __double_as_longlong __longlong_as_double',
    '`{}`: the same bits as another type, at no cost.',
  ],
  ['__assert_fail __trap __brkpt', '`{}`: ends the kernel with an error (or stops in the debugger); the context is unusable after a trap.'],
  ['__builtin_assume __builtin_expect', '`{}`: tells the compiler what holds, or is likely.'],
  ['__isShared __isGlobal __isConstant __isLocal', '`{}(pointer)`: in which memory a generic pointer points.'],
];

const MEMORY: readonly Entry[] = [
  [
    'cudaMalloc',
    '`cudaMalloc(&pointer, bytes)`: global memory of the current device, aligned to 256 bytes at least. It may wait for the device: not in a loop.',
  ],
  ['cudaMallocAsync cudaFreeAsync', '`{}`: memory in the order of a stream, from a pool, without waiting for the device.'],
  ['cudaFree', '`cudaFree(pointer)`: waits for the device before it frees. 0 is allowed.'],
  [
    'cudaMallocManaged',
    '`cudaMallocManaged(&pointer, bytes)`: memory for host and device; pages move on first touch, so `cudaMemPrefetchAsync` before a kernel saves its faults.',
  ],
  [
    'cudaMallocHost cudaHostAlloc',
    '`{}`: pinned host memory: copies are faster, and only these are really asynchronous. Freed with `cudaFreeHost`; too much of it slows the system.',
  ],
  ['cudaHostRegister', '`cudaHostRegister(pointer, bytes, flags)`: pins memory that exists already.'],
  ['cudaFreeHost', '`cudaFreeHost(pointer)`: frees pinned memory.'],
  ['cudaMallocPitch cudaMalloc3D', '`{}`: rows padded so that each begins aligned; the pitch is in bytes.'],
  [
    'cudaMemcpy',
    '`cudaMemcpy(to, from, bytes, kind)`: waits until the copy is done (device to device: until it is queued) and for earlier work of the default stream. `cudaMemcpyDefault` finds the direction by itself.',
  ],
  [
    'cudaMemcpyAsync',
    '`cudaMemcpyAsync(to, from, bytes, kind, stream)`: in the order of the stream. With pageable host memory it goes through a staging buffer and may wait; pinned memory overlaps.',
  ],
  ['cudaMemcpy2D cudaMemcpy2DAsync cudaMemcpy3D', '`{}`: rows with a pitch; widths and pitches are in bytes.'],
  [
    'cudaMemcpyToSymbol cudaMemcpyFromSymbol',
    '`{}(symbol, …)`: to or from a `__constant__` or `__device__` variable, named without quotes or `&`.',
  ],
  ['cudaMemset cudaMemsetAsync', '`{}(pointer, value, bytes)`: sets bytes, so that of an `int` only 0 and -1 are as one expects.'],
  [
    'cudaMemPrefetchAsync cudaMemAdvise',
    '`{}`: moves managed memory before it is touched, or says how it is used. Takes a `cudaMemLocation` since CUDA 13.',
  ],
  ['cudaMemGetInfo', '`cudaMemGetInfo(&free, &total)`: bytes of the current device.'],
  [
    'cudaMemcpyPeer cudaMemcpyPeerAsync cudaDeviceEnablePeerAccess',
    '`{}`: between devices; direct once peer access is enabled, through the host otherwise.',
  ],
  [
    'cudaMemcpyHostToDevice cudaMemcpyDeviceToHost cudaMemcpyDeviceToDevice cudaMemcpyDefault',
    '`{}`: direction of a copy; `cudaMemcpyDefault` takes it from the pointers.',
  ],
];

const RUNTIME: readonly Entry[] = [
  [
    'cudaGetLastError',
    '`cudaGetLastError()`: the last error, which it resets. After a launch it tells of a wrong configuration; faults show at the next synchronisation.',
  ],
  ['cudaPeekAtLastError', '`cudaPeekAtLastError()`: the last error, which stays.'],
  ['cudaGetErrorString cudaGetErrorName', '`{}(error)`: an error in words, or its name.'],
  [
    'cudaDeviceSynchronize',
    '`cudaDeviceSynchronize()`: waits for all work of the device and returns errors of kernels. Gone from device code with CUDA 12.',
  ],
  ['cudaSetDevice', '`cudaSetDevice(device)`: for this host thread. From CUDA 12 on it also starts the context.'],
  ['cudaGetDevice cudaGetDeviceCount', '`{}`: the current device, or how many there are (those in `CUDA_VISIBLE_DEVICES`).'],
  [
    'cudaGetDeviceProperties',
    '`cudaGetDeviceProperties(&properties, device)`: slow (milliseconds); ask once, or use `cudaDeviceGetAttribute`.',
  ],
  ['cudaDeviceGetAttribute', '`cudaDeviceGetAttribute(&value, attribute, device)`: one property, fast.'],
  ['cudaDeviceReset', '`cudaDeviceReset()`: frees everything of the process on the device. Not needed at the end of a program.'],
  ['cudaDeviceGetLimit', '`cudaDeviceGetLimit(&value, limit)`: stack, printf buffer, device heap, set-aside of L2 and more.'],
  [
    'cudaDeviceSetLimit',
    '`cudaDeviceSetLimit(limit, value)`: stack, printf buffer, device heap, set-aside of L2 and more; before the first kernel.',
  ],
  [
    'cudaFuncSetAttribute',
    '`cudaFuncSetAttribute(kernel, attribute, value)`: `cudaFuncAttributeMaxDynamicSharedMemorySize` for more than 48 KB of dynamic shared memory, once per kernel and device before the launch.',
  ],
  ['cudaFuncGetAttributes', '`cudaFuncGetAttributes(&attributes, kernel)`: registers, static shared and local memory, largest block.'],
  [
    'cudaFuncAttributeMaxDynamicSharedMemorySize',
    '`cudaFuncAttributeMaxDynamicSharedMemorySize`: permits dynamic shared memory up to this many bytes per block, beyond the 48 KB that need no permission.',
  ],
  [
    'cudaFuncSetCacheConfig cudaDeviceSetCacheConfig',
    '`{}`: a hint how L1 and shared memory are divided; the driver decides by itself on current devices.',
  ],
  [
    'cudaOccupancyMaxActiveBlocksPerMultiprocessor',
    '`cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, sharedBytes)`: blocks that are resident on a multiprocessor, registers included. Times the multiprocessors: the largest cooperative grid.',
  ],
  [
    'cudaOccupancyMaxPotentialBlockSize',
    '`cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel)`: the block with the highest occupancy and the smallest grid that fills the device. High occupancy is not always fastest.',
  ],
  [
    'cudaLaunchKernel',
    '`cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream)`: what `<<<>>>` becomes; arguments are pointers to the values.',
  ],
  [
    'cudaLaunchCooperativeKernel',
    '`cudaLaunchCooperativeKernel(…)`: a launch in which `grid.sync()` works. All blocks must fit on the device at once, or it fails with cudaErrorCooperativeLaunchTooLarge.',
  ],
  [
    'cudaLaunchKernelEx',
    '`cudaLaunchKernelEx(&config, kernel, arguments…)`: a launch with attributes: clusters, priorities, programmatic dependence.',
  ],
  ['cudaSuccess', '`cudaSuccess`: 0, no error.'],
];

const STREAMS: readonly Entry[] = [
  [
    'cudaStreamCreate',
    '`cudaStreamCreate(&stream)`: a stream that waits for the default stream and is waited for by it; `cudaStreamCreateWithFlags(…, cudaStreamNonBlocking)` does neither.',
  ],
  [
    'cudaStreamCreateWithFlags cudaStreamCreateWithPriority',
    '`{}`: with `cudaStreamNonBlocking` the default stream has no part in it; lower numbers are higher priorities.',
  ],
  ['cudaStreamNonBlocking', '`cudaStreamNonBlocking`: a stream that neither waits for the default stream nor is waited for by it.'],
  ['cudaStreamSynchronize', '`cudaStreamSynchronize(stream)`: waits for the work of one stream.'],
  ['cudaStreamQuery cudaEventQuery', '`{}`: `cudaSuccess` when it is done, `cudaErrorNotReady` otherwise; does not wait.'],
  ['cudaStreamDestroy', '`cudaStreamDestroy(stream)`: returns at once; the stream goes when its work is done.'],
  ['cudaStreamWaitEvent', '`cudaStreamWaitEvent(stream, event)`: what comes later in the stream waits for the event; the host does not.'],
  [
    'cudaStreamSetAttribute',
    '`cudaStreamSetAttribute(stream, attribute, &value)`: for example an access-policy window that keeps data in L2.',
  ],
  ['cudaStreamPerThread cudaStreamLegacy', '`{}`: the default stream of each host thread, or the one that waits for all blocking streams.'],
  ['cudaEventCreate cudaEventCreateWithFlags', '`{}`: `cudaEventDisableTiming` makes events that only order, which are cheaper.'],
  ['cudaEventRecord', '`cudaEventRecord(event, stream)`: when all work before it in the stream is done.'],
  ['cudaEventSynchronize', '`cudaEventSynchronize(event)`: the host waits for it.'],
  [
    'cudaEventElapsedTime',
    '`cudaEventElapsedTime(&ms, start, end)`: milliseconds on the device, to about half a microsecond. Both must have happened: synchronise with the last.',
  ],
  ['cudaEventDestroy', '`cudaEventDestroy(event)`: frees an event.'],
  [
    'cudaLaunchHostFunc',
    '`cudaLaunchHostFunc(stream, function, data)`: the host calls it in the order of the stream; it must not call CUDA.',
  ],
];

const GRAPHS: readonly Entry[] = [
  [
    'cudaStreamBeginCapture cudaStreamEndCapture',
    '`{}`: between the two, work of the stream is not run but becomes a graph. What waits for the device is not allowed in between.',
  ],
  ['cudaGraphCreate', '`cudaGraphCreate(&graph, 0)`: an empty graph, for nodes added by hand.'],
  [
    'cudaGraphAddKernelNode cudaGraphAddMemcpyNode cudaGraphAddMemsetNode cudaGraphAddHostNode cudaGraphAddNode',
    '`{}`: adds work that begins when the nodes it depends on are done.',
  ],
  ['cudaGraphInstantiate', '`cudaGraphInstantiate(&executable, graph)`: checks and prepares a graph once; dear, so not in a loop.'],
  [
    'cudaGraphLaunch',
    '`cudaGraphLaunch(executable, stream)`: all of the graph with one call: saves the launch time of many short kernels.',
  ],
  ['cudaGraphExecUpdate cudaGraphExecKernelNodeSetParams', '`{}`: changes parameters without a new instantiation.'],
  ['cudaGraphDestroy cudaGraphExecDestroy', '`{}`: frees a graph, or what was instantiated from it.'],
];

const MACROS: readonly Entry[] = [
  [
    '__CUDA_ARCH__',
    '`__CUDA_ARCH__`: in device code the compute capability that is compiled for, times 100 (900 for 9.0); not defined in host code, so it must not decide about declarations that both see.',
  ],
  ['__CUDACC__ __NVCC__', '`{}`: defined when nvcc compiles the file, host code included.'],
  ['CUDART_VERSION', '`CUDART_VERSION`: version of the runtime’s headers: 13000 for CUDA 13.0.'],
];

const VECTORS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'longlong', 'ulonglong', 'float', 'double'];
const MAKERS: readonly Entry[] = [
  [VECTORS.flatMap((type) => [2, 3, 4].map((n) => `make_${type}${n}`)).join(' '), '`{}(…)`: a vector of these components.'],
];

const TEXTURES: readonly Entry[] = [
  [
    'cudaCreateTextureObject cudaDestroyTextureObject',
    '`{}`: a texture object, passed to kernels by value: filtering, borders and normalised coordinates in hardware.',
  ],
  [
    'cudaCreateSurfaceObject cudaDestroySurfaceObject',
    '`{}`: a surface object: an array that kernels also write, by byte coordinates in x.',
  ],
  [
    'cudaTextureDesc cudaResourceDesc cudaChannelFormatDesc cudaCreateChannelDesc',
    '`{}`: describes what a texture reads from and how: set all of it to zero first.',
  ],
  [
    'cudaMallocArray cudaFreeArray cudaMemcpy2DToArray',
    '`{}`: memory in an order of the hardware’s own, for textures and surfaces; neighbours in two dimensions lie close.',
  ],
  ['tex1D tex2D tex3D tex2DLayered texCubemap', '`{}`: a filtered read through the texture cache. Element i has its middle at i + 0.5.'],
  ['tex1Dfetch', '`tex1Dfetch`: an unfiltered read of linear memory by integer index. `__ldg` does as much today.'],
];

const MATRICES: readonly Entry[] = [
  [
    'wmma',
    '`wmma` (namespace `nvcuda`): tensor cores by fragments of a warp (compute capability 7.0 and later). All lanes must call it together.',
  ],
  [
    'load_matrix_sync store_matrix_sync fill_fragment mma_sync',
    '`{}`: by all lanes of the warp together. Which lane holds which element of a fragment is not said; pointers must be aligned to 32 bytes.',
  ],
];

const RANDOM: readonly Entry[] = [
  ['curand_init', '`curand_init(seed, sequence, offset, &state)`: dear with a sequence per thread: a kernel of its own, once.'],
  [
    'curand_uniform curand_normal curand',
    '`{}(&state)`: the next number. Copy the state to a local variable for the loop, and back afterwards.',
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

/** Words that are variables as often as not: what must follow them. */
const FOLLOWED_BY: ReadonlyMap<string, RegExp> = new Map([
  ...['clock', 'clock64', 'fma', 'fmaf', 'rsqrt', 'rsqrtf', 'num_threads', 'thread_rank', 'curand'].map((name): [string, RegExp] => [
    name,
    /^\s*\(/,
  ]),
  ...['half', 'half2', 'thread_block'].map((name): [string, RegExp] => [name, /^(\s+[A-Za-z_]|\s*[>(]|\s*\*\s*([,>)]|__restrict))/]),
]);

/** Undefined for what is not CUDA's; `after` is the text that follows the name. */
export function builtin(name: string, after: string): string | undefined {
  return FOLLOWED_BY.get(name)?.test(after) === false ? undefined : TEXTS.get(name);
}

export function builtinNames(): readonly string[] {
  return [...TEXTS.keys()];
}
