/*
 * nvcuda::wmma by way of mma.sync: half, bfloat16, tf32, double and 8-bit integers in CUDA's shapes. Elements lie in fragments as in those of
 * mma.sync m16n8k16 and its kin, and num_elements is NVIDIA's: fragments of half hold every element twice where NVIDIA's do. 4-bit and
 * 1-bit factors (experimental) are words of them.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__
#pragma GCC system_header
#include "cuda_runtime.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include <type_traits>

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
namespace precision {
struct tf32 {};
}
__LANEWISE_DEVICE float __float_to_tf32(float value) {
  float result;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=f"(result) : "f"(value));
  return result;
}

namespace details {
template <class T> struct Stored { typedef T type; };
template <> struct Stored<precision::tf32> { typedef float type; };

struct Place { int row, column; };
template <bool turned> __LANEWISE_DEVICE Place turn(Place p) { return turned ? Place{p.column, p.row} : p; }

/* How a shape is computed, in tiles of 8 columns and 16 rows, 8 of double. 8 rows and 32 columns are computed transposed. */
template <int m, int n, int k, class T> struct Shape {
  static constexpr bool isDouble = sizeof(T) == 8;
  static constexpr bool turned = m == 8 && n == 32;
  static constexpr int tileRows = isDouble ? 8 : 16, rows = turned ? n : m, columns = turned ? m : n;
  static constexpr int down = rows / tileRows, across = columns / 8;
  /* Elements of a register, and of a tile in one lane. */
  static constexpr int each = sizeof(typename Stored<T>::type) < 4 ? 4 / sizeof(typename Stored<T>::type) : 1;
  static constexpr int leftTile = tileRows * k / 32, rightTile = 8 * k / 32, sumTile = tileRows * 8 / 32;
  static_assert(std::is_same<T, double>::value ? m == 8 && n == 8 && k == 4
                : std::is_same<T, precision::tf32>::value ? m == 16 && n == 16 && k == 8
                : k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32)),
                "the simulator does not support this shape and type of nvcuda::wmma");

  static __LANEWISE_DEVICE_METHOD int lane() { return __nvvm_read_ptx_sreg_laneid(); }
  static __LANEWISE_DEVICE_METHOD Place left(int e) {
    constexpr int high = tileRows / 8;
    int part = e % leftTile / each;
    return {e / leftTile * tileRows + (lane() >> 2) + 8 * (part % high), part / high * 4 * each + (lane() & 3) * each + e % each};
  }
  static __LANEWISE_DEVICE_METHOD Place right(int e) {
    return {e % rightTile / each * 4 * each + (lane() & 3) * each + e % each, e / rightTile * 8 + (lane() >> 2)};
  }
  static __LANEWISE_DEVICE_METHOD Place sum(int e) {
    int tile = e / sumTile, part = e % sumTile;
    return {tile % down * tileRows + (lane() >> 2) + 8 * (part >> 1), tile / down * 8 + 2 * (lane() & 3) + (part & 1)};
  }
};

/* A sum's shape does not depend on the type of the factors, but for double. */
template <class Use, int m, int n, int k, class T> struct Elements;
template <int m, int n, int k, class T> struct Elements<matrix_a, m, n, k, T> {
  typedef Shape<m, n, k, T> S;
  static constexpr int count = S::turned ? S::rightTile * S::across : S::leftTile * S::down;
  static __LANEWISE_DEVICE_METHOD Place at(int e) { return turn<S::turned>(S::turned ? S::right(e) : S::left(e)); }
};
template <int m, int n, int k, class T> struct Elements<matrix_b, m, n, k, T> {
  typedef Shape<m, n, k, T> S;
  static constexpr int count = S::turned ? S::leftTile * S::down : S::rightTile * S::across;
  static __LANEWISE_DEVICE_METHOD Place at(int e) { return turn<S::turned>(S::turned ? S::left(e) : S::right(e)); }
};
template <int m, int n, int k, class T> struct Elements<accumulator, m, n, k, T> {
  typedef Shape<m, n, k, typename std::conditional<sizeof(T) == 8, double, typename std::conditional<k == 8, precision::tf32, __half>::type>::type> S;
  static constexpr int count = S::sumTile * S::down * S::across;
  static __LANEWISE_DEVICE_METHOD Place at(int e) { return turn<S::turned>(S::sum(e)); }
};
template <class Use, class T> constexpr bool isTwice = std::is_same<T, __half>::value && !std::is_same<Use, accumulator>::value;

/* Registers of a tile. */
template <class R, int count, class T> struct Registers {
  R r[count];
  __LANEWISE_DEVICE_METHOD explicit Registers(const T* from) { __builtin_memcpy(r, from, sizeof r); }
};

#define __LANEWISE_MMA_16(shape, type, a, b) \
  asm volatile("mma.sync.aligned." shape ".row.col.f32." type "." type ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};" \
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) \
               : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]))
__LANEWISE_DEVICE void multiply(__half, float* d, const __half* a, const __half* b, const float* c, bool) {
  Registers<unsigned int, 4, __half> x(a);
  Registers<unsigned int, 2, __half> y(b);
  __LANEWISE_MMA_16("m16n8k16", "f16", x, y);
}
__LANEWISE_DEVICE void multiply(__nv_bfloat16, float* d, const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, bool) {
  Registers<unsigned int, 4, __nv_bfloat16> x(a);
  Registers<unsigned int, 2, __nv_bfloat16> y(b);
  __LANEWISE_MMA_16("m16n8k16", "bf16", x, y);
}
/* In two steps of four, whose sums are rounded each: as nvcc does it, and as the GPU's results show. */
__LANEWISE_DEVICE void multiply(precision::tf32, float* d, const float* a, const float* b, const float* c, bool) {
  Registers<unsigned int, 4, float> x(a);
  Registers<unsigned int, 2, float> y(b);
  for (int e = 0; e < 4; ++e) d[e] = c[e];
  for (int k = 0; k < 2; ++k)
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x.r[2 * k]), "r"(x.r[2 * k + 1]), "r"(y.r[k]));
}
#undef __LANEWISE_MMA_16
__LANEWISE_DEVICE void multiply(__half, __half* d, const __half* a, const __half* b, const __half* c, bool) {
  Registers<unsigned int, 4, __half> x(a);
  Registers<unsigned int, 2, __half> y(b), z(c);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(z.r[0]), "+r"(z.r[1]) : "r"(x.r[0]), "r"(x.r[1]), "r"(x.r[2]), "r"(x.r[3]), "r"(y.r[0]), "r"(y.r[1]));
  __builtin_memcpy(d, z.r, sizeof z.r);
}
#define __LANEWISE_MMA_8(type, name) \
  __LANEWISE_DEVICE void multiply(type, int* d, const type* a, const type* b, const int* c, bool satf) { \
    Registers<unsigned int, 2, type> x(a); \
    Registers<unsigned int, 1, type> y(b); \
    if (satf) \
      asm volatile("mma.sync.aligned.m16n8k16.row.col.satfinite.s32." name "." name ".s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};" \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(x.r[0]), "r"(x.r[1]), "r"(y.r[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); \
    else \
      asm volatile("mma.sync.aligned.m16n8k16.row.col.s32." name "." name ".s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};" \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(x.r[0]), "r"(x.r[1]), "r"(y.r[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); \
  }
__LANEWISE_MMA_8(signed char, "s8")
__LANEWISE_MMA_8(unsigned char, "u8")
#undef __LANEWISE_MMA_8
__LANEWISE_DEVICE void multiply(double, double* d, const double* a, const double* b, const double* c, bool) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" : "=d"(d[0]), "=d"(d[1]) : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1]));
}
}  // namespace details

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
  typedef details::Elements<Use, m, n, k, T> E;

 public:
  typedef typename details::Stored<T>::type element_type;
  typedef element_type storage_element_type;
  static constexpr int num_elements = details::isTwice<Use, T> ? 16 : E::count;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class V>
__LANEWISE_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& value) {
  for (int e = 0; e < f.num_elements; ++e) f.x[e] = value;
}

namespace details {
/* Neighbouring elements of a fragment that lie side by side in a row (or in a column, as those of matrix_b): what one load moves. */
template <class Use, int m, int n, int k, class T> struct Runs {
  typedef Elements<Use, m, n, k, T> E;
  typedef typename Stored<T>::type Element;
  static constexpr bool isSum = std::is_same<Use, accumulator>::value;
  static constexpr bool inRows = isSum ? !E::S::turned : std::is_same<Use, matrix_a>::value;
  static constexpr int length = isSum ? 2 : E::S::each;
  /* Elements of 16 bits move in pairs in either order of memory: an 8 by 8 block lies turned in the lanes then, and MOVM turns it back. */
  static constexpr bool turns = sizeof(Element) == 2;
  struct alignas(length * sizeof(Element)) Run { Element e[length]; };
};

/* MOVM: what lanes hold of an 8 by 8 block, two elements of a row each, as they would hold its columns. */
__LANEWISE_DEVICE unsigned int turnBlock(unsigned int pair) {
  int lane = __nvvm_read_ptx_sreg_laneid(), from = 8 * (lane & 3) + (lane >> 3);
  unsigned int first = __shfl_sync(0xffffffffu, pair, from), second = __shfl_sync(0xffffffffu, pair, from + 4);
  int shift = 16 * (lane >> 2 & 1);
  return (first >> shift & 0xffff) | second >> shift << 16;
}
/* The place of a pair when its block lies turned. */
template <bool inRows> __LANEWISE_DEVICE Place turnedPlace(Place at) {
  int lane = __nvvm_read_ptx_sreg_laneid(), far = lane >> 2, near = 2 * (lane & 3);
  return inRows ? Place{at.row - far + near, at.column - near + far} : Place{at.row - near + far, at.column - far + near};
}

template <class Use, int m, int n, int k, class T, class Layout, class P>
__LANEWISE_DEVICE void load(fragment<Use, m, n, k, T, Layout>& f, const P* p, unsigned int ldm, bool byRow) {
  typedef Elements<Use, m, n, k, T> E;
  typedef Runs<Use, m, n, k, T> R;
  if (byRow == R::inRows) {
    for (int e = 0; e < E::count; e += R::length) {
      Place at = E::at(e);
      typename R::Run run = *(const typename R::Run*)(byRow ? p + at.row * ldm + at.column : p + at.column * ldm + at.row);
      for (int i = 0; i < R::length; ++i) f.x[e + i] = run.e[i];
    }
  } else if constexpr (R::turns) {
    for (int e = 0; e < E::count; e += 2) {
      Place at = turnedPlace<R::inRows>(E::at(e));
      unsigned int pair = turnBlock(*(const unsigned int*)(byRow ? p + at.row * ldm + at.column : p + at.column * ldm + at.row));
      __builtin_memcpy(f.x + e, &pair, 4);
    }
  } else {
    for (int e = 0; e < E::count; ++e) {
      Place at = E::at(e);
      f.x[e] = byRow ? p[at.row * ldm + at.column] : p[at.column * ldm + at.row];
    }
  }
  for (int e = E::count; e < f.num_elements; ++e) f.x[e] = f.x[e % E::count];
}
}  // namespace details

template <class Use, int m, int n, int k, class T, class Layout, class P>
__LANEWISE_DEVICE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const P* p, unsigned int ldm) {
  details::load(f, p, ldm, std::is_same<Layout, row_major>::value);
}
template <int m, int n, int k, class T, class P>
__LANEWISE_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const P* p, unsigned int ldm, layout_t layout) {
  details::load(f, p, ldm, layout == mem_row_major);
}
template <int m, int n, int k, class T, class P>
__LANEWISE_DEVICE void store_matrix_sync(P* p, const fragment<accumulator, m, n, k, T>& f, unsigned int ldm, layout_t layout) {
  typedef details::Elements<accumulator, m, n, k, T> E;
  typedef details::Runs<accumulator, m, n, k, T> R;
  const bool byRow = layout == mem_row_major;
  if (byRow == R::inRows) {
    for (int e = 0; e < E::count; e += R::length) {
      details::Place at = E::at(e);
      typename R::Run run;
      for (int i = 0; i < R::length; ++i) run.e[i] = f.x[e + i];
      *(typename R::Run*)(byRow ? p + at.row * ldm + at.column : p + at.column * ldm + at.row) = run;
    }
  } else if constexpr (R::turns) {
    for (int e = 0; e < E::count; e += 2) {
      details::Place at = details::turnedPlace<R::inRows>(E::at(e));
      unsigned int pair;
      __builtin_memcpy(&pair, f.x + e, 4);
      *(unsigned int*)(byRow ? p + at.row * ldm + at.column : p + at.column * ldm + at.row) = details::turnBlock(pair);
    }
  } else {
    for (int e = 0; e < E::count; ++e) {
      details::Place at = E::at(e);
      p[byRow ? at.row * ldm + at.column : at.column * ldm + at.row] = f.x[e];
    }
  }
}

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class D, class C>
__LANEWISE_DEVICE void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                                const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c, bool satf = false) {
  typedef details::Shape<m, n, k, T> S;
  const auto *left = S::turned ? b.x : a.x, *right = S::turned ? a.x : b.x;
  for (int tile = 0; tile < S::down * S::across; ++tile) {
    D sum[S::sumTile];
    for (int e = 0; e < S::sumTile; ++e) sum[e] = (D)c.x[tile * S::sumTile + e];
    details::multiply(T(), d.x + tile * S::sumTile, left + tile % S::down * S::leftTile, right + tile / S::down * S::rightTile, sum, satf);
  }
}

/* Factors of 4 bits and of one: a word of a row of A, or of a column of B, in each lane, as mma.sync m8n8k32 and m8n8k128 have them. */
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace details {
struct Word {
  typedef unsigned int element_type;
  typedef unsigned int storage_element_type;
  static constexpr int num_elements = 1, num_storage_elements = 1;
  unsigned int x[1];
};
struct SmallSum {
  typedef int element_type;
  typedef int storage_element_type;
  static constexpr int num_elements = 2, num_storage_elements = 2;
  int x[2];
};
__LANEWISE_DEVICE int lane() { return __nvvm_read_ptx_sreg_laneid(); }
template <int each> __LANEWISE_DEVICE void loadWord(Word& f, const void* p, unsigned int ldm) { f.x[0] = ((const unsigned int*)p)[(lane() >> 2) * (ldm / each) + (lane() & 3)]; }
template <int k> __LANEWISE_DEVICE int* sumPlace(int* p, int e, unsigned int ldm, layout_t layout) {
  int row = lane() >> 2, column = 2 * (lane() & 3) + e;
  return p + (layout == mem_row_major ? row * ldm + column : column * ldm + row);
}
}  // namespace details
#define __LANEWISE_WMMA_SMALL(k, T, each) \
  template <> class fragment<matrix_a, 8, 8, k, experimental::precision::T, row_major> : public details::Word {}; \
  template <> class fragment<matrix_b, 8, 8, k, experimental::precision::T, col_major> : public details::Word {}; \
  template <class P> __LANEWISE_DEVICE void load_matrix_sync(fragment<matrix_a, 8, 8, k, experimental::precision::T, row_major>& f, const P* p, unsigned int ldm) { details::loadWord<each>(f, p, ldm); } \
  template <class P> __LANEWISE_DEVICE void load_matrix_sync(fragment<matrix_b, 8, 8, k, experimental::precision::T, col_major>& f, const P* p, unsigned int ldm) { details::loadWord<each>(f, p, ldm); }
#define __LANEWISE_WMMA_SMALL_SUM(k) \
  template <> class fragment<accumulator, 8, 8, k, int> : public details::SmallSum {}; \
  __LANEWISE_DEVICE void load_matrix_sync(fragment<accumulator, 8, 8, k, int>& f, const int* p, unsigned int ldm, layout_t layout) { \
    for (int e = 0; e < 2; ++e) f.x[e] = *details::sumPlace<k>((int*)p, e, ldm, layout); \
  } \
  __LANEWISE_DEVICE void store_matrix_sync(int* p, const fragment<accumulator, 8, 8, k, int>& f, unsigned int ldm, layout_t layout) { \
    for (int e = 0; e < 2; ++e) *details::sumPlace<k>(p, e, ldm, layout) = f.x[e]; \
  }
__LANEWISE_WMMA_SMALL(32, s4, 8)
__LANEWISE_WMMA_SMALL(32, u4, 8)
__LANEWISE_WMMA_SMALL(128, b1, 32)
__LANEWISE_WMMA_SMALL_SUM(32)
__LANEWISE_WMMA_SMALL_SUM(128)
#undef __LANEWISE_WMMA_SMALL
#undef __LANEWISE_WMMA_SMALL_SUM

#define __LANEWISE_MMA_SMALL(instruction) \
  asm volatile(instruction " {%0, %1}, {%2}, {%3}, {%4, %5};" : "=r"(d.x[0]), "=r"(d.x[1]) : "r"(a.x[0]), "r"(b.x[0]), "r"(c.x[0]), "r"(c.x[1]))
#define __LANEWISE_MMA_4(T) \
  __LANEWISE_DEVICE void mma_sync(fragment<accumulator, 8, 8, 32, int>& d, const fragment<matrix_a, 8, 8, 32, experimental::precision::T, row_major>& a, \
                                  const fragment<matrix_b, 8, 8, 32, experimental::precision::T, col_major>& b, const fragment<accumulator, 8, 8, 32, int>& c, bool satf = false) { \
    if (satf) __LANEWISE_MMA_SMALL("mma.sync.aligned.m8n8k32.row.col.satfinite.s32." #T "." #T ".s32"); \
    else __LANEWISE_MMA_SMALL("mma.sync.aligned.m8n8k32.row.col.s32." #T "." #T ".s32"); \
  }
__LANEWISE_MMA_4(s4)
__LANEWISE_MMA_4(u4)
#undef __LANEWISE_MMA_4
__LANEWISE_DEVICE void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d, const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
                                 const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b, const fragment<accumulator, 8, 8, 128, int>& c,
                                 experimental::bmmaBitOp op = experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (op == experimental::bmmaBitOpAND) __LANEWISE_MMA_SMALL("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc");
  else __LANEWISE_MMA_SMALL("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc");
}
#undef __LANEWISE_MMA_SMALL

}  // namespace wmma
}  // namespace nvcuda
#endif
