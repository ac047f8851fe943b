/*
 * Tensor maps: how a tensor lies in global memory and which boxes of it are copied to shared memory and back (cp.async.bulk.tensor). What a
 * map's 128 bytes hold is not documented; here, what the copies below read. Boxes of every element of a plain tensor are there; elements of
 * 4 and 6 bits, interleaved layouts, steps between elements and convolutions (im2col) are refused with CUDA_ERROR_NOT_SUPPORTED.
 */
#ifndef __LANEWISE_TENSOR_MAPS_H__
#define __LANEWISE_TENSOR_MAPS_H__

#define CU_TENSOR_MAP_NUM_QWORDS 16
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef struct CUtensorMap_st {
#ifdef __cplusplus
  alignas(64)
#else
  _Alignas(64)
#endif
  cuuint64_t opaque[CU_TENSOR_MAP_NUM_QWORDS];
} CUtensorMap;

typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64, CU_TENSOR_MAP_DATA_TYPE_INT64, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE = 0, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE = 0, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE = 0, CU_TENSOR_MAP_L2_PROMOTION_L2_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

/* What a CUtensorMap holds. */
struct __lanewise_tensor_map {
  uint64_t address, strides[4];
  uint32_t sizes[5], box[5];
  uint32_t elementBytes, swizzle, fill;
};

static inline __attribute__((unused)) CUresult cuTensorMapEncodeTiled(
    CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress, const cuuint64_t* globalDim,
    const cuuint64_t* globalStrides, const cuuint32_t* boxDim, const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill) {
  static const unsigned char elementBytes[] = { 1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4 };
  /* The bits of the number of a row of 128 bytes that change the place of 16 bytes in it. */
  static const unsigned char swizzles[] = { 0, 1, 3, 7 };
  struct __lanewise_tensor_map map = { (uint64_t)globalAddress, { 0 }, { 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1 }, 0, 0, 0 };
  cuuint32_t i;
  if (!tensorMap || !globalDim || !boxDim || !elementStrides || tensorRank < 1 || tensorRank > 5 || (tensorRank > 1 && !globalStrides))
    return CUDA_ERROR_INVALID_VALUE;
  if ((unsigned)tensorDataType > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
      (unsigned)swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
    return CUDA_ERROR_NOT_SUPPORTED;
  map.elementBytes = elementBytes[tensorDataType];
  map.swizzle = swizzles[swizzle];
  map.fill = oobFill;
  if ((map.address & 15) != 0) return CUDA_ERROR_INVALID_VALUE;
  for (i = 0; i < tensorRank; i++) {
    if (globalDim[i] == 0 || globalDim[i] > 0xffffffff || boxDim[i] == 0 || boxDim[i] > 256) return CUDA_ERROR_INVALID_VALUE;
    if (elementStrides[i] == 0 || elementStrides[i] > 8) return CUDA_ERROR_INVALID_VALUE;
    if (elementStrides[i] != 1) return CUDA_ERROR_NOT_SUPPORTED;
    map.sizes[i] = (uint32_t)globalDim[i];
    map.box[i] = boxDim[i];
    if (i == 0) continue;
    if ((globalStrides[i - 1] & 15) != 0 || globalStrides[i - 1] >= (cuuint64_t)1 << 40) return CUDA_ERROR_INVALID_VALUE;
    map.strides[i - 1] = globalStrides[i - 1];
  }
  if (map.box[0] * map.elementBytes % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  if (map.swizzle != 0 && map.box[0] * map.elementBytes > (map.swizzle + 1) * 16) return CUDA_ERROR_INVALID_VALUE;
  __builtin_memset(tensorMap, 0, sizeof *tensorMap);
  __builtin_memcpy(tensorMap, &map, sizeof map);
  return CUDA_SUCCESS;
}
static inline __attribute__((unused)) CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress) {
  uint64_t address = (uint64_t)globalAddress;
  if (!tensorMap || (address & 15) != 0) return CUDA_ERROR_INVALID_VALUE;
  __builtin_memcpy(tensorMap, &address, sizeof address);
  return CUDA_SUCCESS;
}

/* Programs that are not linked with the driver ask the runtime for these by name. */
#if defined(__cplusplus) && defined(__CUDACC__)
static inline __attribute__((unused)) bool __lanewise_tensor_function(const char* symbol, void** function, cudaDriverEntryPointQueryResult* status) {
  void* found = __builtin_strcmp(symbol, "cuTensorMapEncodeTiled") == 0      ? (void*)cuTensorMapEncodeTiled
                : __builtin_strcmp(symbol, "cuTensorMapReplaceAddress") == 0 ? (void*)cuTensorMapReplaceAddress
                                                                             : nullptr;
  if (!found) return false;
  *function = found;
  if (status) *status = cudaDriverEntryPointSuccess;
  return true;
}
static inline __attribute__((unused)) cudaError_t __lanewise_driver_entry_point(
    const char* symbol, void** function, unsigned long long flags, cudaDriverEntryPointQueryResult* status = nullptr) {
  return __lanewise_tensor_function(symbol, function, status) ? cudaSuccess : cudaGetDriverEntryPoint(symbol, function, flags, status);
}
static inline __attribute__((unused)) cudaError_t __lanewise_driver_entry_point_by_version(
    const char* symbol, void** function, unsigned int version, unsigned long long flags, cudaDriverEntryPointQueryResult* status = nullptr) {
  return __lanewise_tensor_function(symbol, function, status) ? cudaSuccess : cudaGetDriverEntryPointByVersion(symbol, function, version, flags, status);
}
#define cudaGetDriverEntryPoint(...) __lanewise_driver_entry_point(__VA_ARGS__)
#define cudaGetDriverEntryPointByVersion(...) __lanewise_driver_entry_point_by_version(__VA_ARGS__)
#endif

#ifdef __CUDA_ARCH__
/* A box's row, or part of one, of up to 16 bytes. */
__LANEWISE_DEVICE void __lanewise_move_part(char* shared, char* global, unsigned first, unsigned end, unsigned size, const __lanewise_tensor_map& map, bool loads) {
  for (unsigned at = 0; at < 16; at += size) {
    bool isInside = at >= first && at < end;
    for (unsigned byte = at; byte < at + size; ++byte) {
      if (loads) shared[byte] = isInside ? global[byte] : map.fill ? (char)0xff : (char)0;
      else if (isInside) global[byte] = shared[byte];
    }
  }
}
/* What cp.async.bulk.tensor does, by the one thread that asks for it; the bytes of a whole box. */
__LANEWISE_DEVICE unsigned __lanewise_tensor_box(unsigned place, const void* opaque, int x, int y, int z, int u, int v, bool loads) {
  const __lanewise_tensor_map& map = *(const __lanewise_tensor_map*)opaque;
  const int size = (int)map.elementBytes;
  const unsigned rowBytes = map.box[0] * size;
  const long long length = (long long)map.sizes[0] * size;
  const unsigned start = place;
  for (unsigned l = 0; l < map.box[4]; ++l) for (unsigned k = 0; k < map.box[3]; ++k) for (unsigned j = 0; j < map.box[2]; ++j) for (unsigned i = 0; i < map.box[1]; ++i) {
    const unsigned at[] = { (unsigned)y + i, (unsigned)z + j, (unsigned)u + k, (unsigned)v + l };
    /* Negative coordinates are large ones. */
    const bool isInside = at[0] < map.sizes[1] && at[1] < map.sizes[2] && at[2] < map.sizes[3] && at[3] < map.sizes[4];
    char* row = (char*)map.address + at[0] * map.strides[0] + at[1] * map.strides[1] + at[2] * map.strides[2] + at[3] * map.strides[3];
    for (unsigned offset = 0; offset < rowBytes; offset += 16, place += 16) {
      const long long first = (long long)x * size + offset;
      char* shared = (char*)__cvta_shared_to_generic(place ^ ((place >> 7 & map.swizzle) << 4));
      char* global = row + first;
      if (isInside && first >= 0 && first + 16 <= length && ((unsigned long long)global & 15) == 0) {
        if (loads) *(uint4*)shared = *(const uint4*)global;
        else *(uint4*)global = *(const uint4*)shared;
      } else {
        const long long before = first < 0 ? -first : 0, rest = length - first;
        const bool isEmpty = !isInside || before >= 16 || rest <= 0;
        __lanewise_move_part(shared, global, isEmpty ? 16 : (unsigned)before, isEmpty ? 0 : rest < 16 ? (unsigned)rest : 16, size, map, loads);
      }
    }
  }
  return place - start;
}
extern "C" inline __device__ __attribute__((used, noinline)) unsigned __lanewise_tensor_load(unsigned to, const void* map, int x, int y, int z, int u, int v) {
  return __lanewise_tensor_box(to, map, x, y, z, u, v, true);
}
extern "C" inline __device__ __attribute__((used, noinline)) unsigned __lanewise_tensor_store(unsigned from, const void* map, int x, int y, int z, int u, int v) {
  return __lanewise_tensor_box(from, map, x, y, z, u, v, false);
}
#endif
#endif
