/*
 * threadIdx, blockIdx, blockDim, gridDim and warpSize. In device code each member is a getter of a special register; the variables have no
 * storage. Host code has NVIDIA's types, since the toolkit's cuRAND declares the variables once more.
 */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "vector_types.h"

#ifdef __CUDA_ARCH__
#define __LANEWISE_REGISTER(member, builtin) \
  __declspec(property(get = __get_##member)) unsigned int member; \
  static __LANEWISE_DEVICE_METHOD unsigned int __get_##member() { return builtin(); }

#define __LANEWISE_INDEX(type, name, register) \
  struct type { \
    __LANEWISE_REGISTER(x, __nvvm_read_ptx_sreg_##register##_x) \
    __LANEWISE_REGISTER(y, __nvvm_read_ptx_sreg_##register##_y) \
    __LANEWISE_REGISTER(z, __nvvm_read_ptx_sreg_##register##_z) \
    __LANEWISE_DEVICE_METHOD operator dim3() const { return dim3(x, y, z); } \
    __LANEWISE_DEVICE_METHOD operator uint3() const { return uint3{x, y, z}; } \
  }; \
  extern const __device__ __attribute__((weak)) type name;

__LANEWISE_INDEX(__lanewise_thread_index, threadIdx, tid)
__LANEWISE_INDEX(__lanewise_block_index, blockIdx, ctaid)
__LANEWISE_INDEX(__lanewise_block_size, blockDim, ntid)
__LANEWISE_INDEX(__lanewise_grid_size, gridDim, nctaid)

#undef __LANEWISE_INDEX
#undef __LANEWISE_REGISTER
#else
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
#endif

constexpr int warpSize = 32;
#endif
