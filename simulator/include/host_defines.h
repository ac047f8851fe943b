/* CUDA's keywords as Clang attributes. `__noinline__` and `__launch_bounds__`'s arguments are Clang's own. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
/* Clang puts other constants of device code into constant memory, too: simulator/toolchain/constant-tables.ts tells them apart. */
#ifdef __CUDA_ARCH__
#define __constant__ __attribute__((constant, annotate("lanewise.constant")))
#else
#define __constant__ __attribute__((constant))
#endif
/* Clang knows managed variables for another language only: here they are device variables in a section of their own. Host code uses the
   host's copy, which the simulator keeps equal at launches and synchronisations. */
#define __managed__ __attribute__((device, section("managed")))
#define __grid_constant__ __attribute__((grid_constant))
/* The host's code needs no bounds, and Clang for the host does not take the third one, blocks of a cluster. */
#ifdef __CUDA_ARCH__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __launch_bounds__(...)
#endif
#define __cluster_dims__(...) __attribute__((annotate("lanewise.cluster", __VA_ARGS__)))
#else
/* In a .cpp file, which has no device code. */
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#endif
/* Hints to the hardware's register allocator and scheduler: the simulator has neither. */
#define __maxnreg__(...)
#define __block_size__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __nv_pure__ __attribute__((const))
#define __device_builtin__
#define __cudart_builtin__
#define __specialization_static
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDART_DEVICE __device__
/* Defaults of parameters, how a structure's value is written, and the linkage of functions: in C++, and in C files of the host. */
#ifdef __cplusplus
#define __dv(v) = v
#define __LANEWISE_VALUE(type) type
#define __LANEWISE_C_BEGIN extern "C" {
#define __LANEWISE_C_END }
#else
#define __dv(v)
#define __LANEWISE_VALUE(type) (type)
#define __LANEWISE_C_BEGIN
#define __LANEWISE_C_END
#endif

/* Our own functions: one source location for the program, that of the call, unless their own places are asked for. */
#ifdef __LANEWISE_HEADER_PLACES
#define __LANEWISE_PLACE
#else
#define __LANEWISE_PLACE nodebug
#endif
#define __LANEWISE_DEVICE static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE, unused))
#define __LANEWISE_HOST static inline __host__ __attribute__((always_inline, __LANEWISE_PLACE, unused))
#define __LANEWISE_BOTH static inline __host__ __device__ __attribute__((always_inline, __LANEWISE_PLACE, unused))
#define __LANEWISE_METHOD inline __host__ __device__ __attribute__((always_inline, __LANEWISE_PLACE))
#define __LANEWISE_DEVICE_METHOD inline __device__ __attribute__((always_inline, __LANEWISE_PLACE))
/* A device function that is seen in debug information: its name says what its instructions do not. */
#define __LANEWISE_DEVICE_SEEN static inline __device__ __attribute__((always_inline, unused))
/* A function of the simulator, without side effects, that lanes may run in any order. */
#define __LANEWISE_PURE extern "C" __device__ __attribute__((const, nothrow, noconvergent))
#endif
