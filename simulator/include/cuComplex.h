/* Complex numbers in C style. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_
#pragma GCC system_header
#include "cuda_runtime.h"
#include <math.h>

#define __LANEWISE_COMPLEX(type, element, prefix, root) \
  typedef element##2 cu##type##Complex; \
  __LANEWISE_BOTH element cuCreal##prefix(cu##type##Complex x) { return x.x; } \
  __LANEWISE_BOTH element cuCimag##prefix(cu##type##Complex x) { return x.y; } \
  __LANEWISE_BOTH cu##type##Complex make_cu##type##Complex(element real, element imaginary) { return __LANEWISE_VALUE(cu##type##Complex){real, imaginary}; } \
  __LANEWISE_BOTH cu##type##Complex cuConj##prefix(cu##type##Complex x) { return __LANEWISE_VALUE(cu##type##Complex){x.x, -x.y}; } \
  __LANEWISE_BOTH cu##type##Complex cuCadd##prefix(cu##type##Complex a, cu##type##Complex b) { return __LANEWISE_VALUE(cu##type##Complex){a.x + b.x, a.y + b.y}; } \
  __LANEWISE_BOTH cu##type##Complex cuCsub##prefix(cu##type##Complex a, cu##type##Complex b) { return __LANEWISE_VALUE(cu##type##Complex){a.x - b.x, a.y - b.y}; } \
  __LANEWISE_BOTH cu##type##Complex cuCmul##prefix(cu##type##Complex a, cu##type##Complex b) { \
    return __LANEWISE_VALUE(cu##type##Complex){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; \
  } \
  __LANEWISE_BOTH cu##type##Complex cuCdiv##prefix(cu##type##Complex a, cu##type##Complex b) { \
    element scale = 1 / (fabs(b.x) + fabs(b.y)), ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale; \
    element size = 1 / (bx * bx + by * by); \
    return __LANEWISE_VALUE(cu##type##Complex){(ax * bx + ay * by) * size, (ay * bx - ax * by) * size}; \
  } \
  __LANEWISE_BOTH element cuCabs##prefix(cu##type##Complex x) { return root(x.x, x.y); } \
  __LANEWISE_BOTH cu##type##Complex cuCfma##prefix(cu##type##Complex a, cu##type##Complex b, cu##type##Complex c) { \
    return __LANEWISE_VALUE(cu##type##Complex){a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y}; \
  }
__LANEWISE_COMPLEX(Float, float, f, hypotf)
__LANEWISE_COMPLEX(Double, double, , hypot)
#undef __LANEWISE_COMPLEX
typedef cuFloatComplex cuComplex;
__LANEWISE_BOTH cuComplex make_cuComplex(float real, float imaginary) { return __LANEWISE_VALUE(cuComplex){real, imaginary}; }
__LANEWISE_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return __LANEWISE_VALUE(cuDoubleComplex){x.x, x.y}; }
__LANEWISE_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return __LANEWISE_VALUE(cuFloatComplex){(float)x.x, (float)x.y}; }
#endif
