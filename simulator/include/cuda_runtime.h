#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#include <stddef.h>
struct dim3 { unsigned x,y,z; __host__ __device__ dim3(unsigned a=1,unsigned b=1,unsigned c=1):x(a),y(b),z(c){} };
typedef int cudaError_t; struct CUstream_st; typedef CUstream_st* cudaStream_t;
extern "C" cudaError_t __cudaPushCallConfiguration(dim3 g, dim3 b, size_t s=0, cudaStream_t st=0);
extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
extern "C" cudaError_t cudaMalloc(void**, size_t);
struct T3 { __declspec(property(get=gx)) unsigned x; static __device__ inline unsigned gx(){return __nvvm_read_ptx_sreg_tid_x();} };
struct B3 { __declspec(property(get=gx)) unsigned x; static __device__ inline unsigned gx(){return __nvvm_read_ptx_sreg_ctaid_x();} };
struct D3 { __declspec(property(get=gx)) unsigned x; static __device__ inline unsigned gx(){return __nvvm_read_ptx_sreg_ntid_x();} };
extern const __device__ __attribute__((weak)) T3 threadIdx; extern const __device__ __attribute__((weak)) B3 blockIdx; extern const __device__ __attribute__((weak)) D3 blockDim;
__device__ inline int atomicAdd(int*p,int v){return __nvvm_atom_add_gen_i(p,v);}
