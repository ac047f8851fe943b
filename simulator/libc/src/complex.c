/* Products of complex numbers, and quotients of long ones (C, annex G.5.1), under the names by which Clang calls them. */
#include <math.h>

#define PRODUCT(type, suffix, f) \
  static type boxed##f(type x) { return copysign##f(isinf(x) ? 1 : 0, x); } \
  type _Complex __mul##suffix##3(type a, type b, type c, type d) { \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc; \
    if (isnan(x) && isnan(y)) { \
      int again = 0; \
      if (isinf(a) || isinf(b)) { \
        a = boxed##f(a), b = boxed##f(b), again = 1; \
        if (isnan(c)) c = copysign##f(0, c); \
        if (isnan(d)) d = copysign##f(0, d); \
      } \
      if (isinf(c) || isinf(d)) { \
        c = boxed##f(c), d = boxed##f(d), again = 1; \
        if (isnan(a)) a = copysign##f(0, a); \
        if (isnan(b)) b = copysign##f(0, b); \
      } \
      if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) { \
        if (isnan(a)) a = copysign##f(0, a); \
        if (isnan(b)) b = copysign##f(0, b); \
        if (isnan(c)) c = copysign##f(0, c); \
        if (isnan(d)) d = copysign##f(0, d); \
        again = 1; \
      } \
      if (again) x = INFINITY * (a * c - b * d), y = INFINITY * (a * d + b * c); \
    } \
    return __builtin_complex(x, y); \
  }

#define QUOTIENT(type, suffix, f) \
  type _Complex __div##suffix##3(type a, type b, type c, type d) { \
    int exponent = 0; \
    type scale = logb##f(fmax##f(fabs##f(c), fabs##f(d))); \
    if (isfinite(scale)) exponent = (int)scale, c = scalbn##f(c, -exponent), d = scalbn##f(d, -exponent); \
    type square = c * c + d * d; \
    type x = scalbn##f((a * c + b * d) / square, -exponent), y = scalbn##f((b * c - a * d) / square, -exponent); \
    if (isnan(x) && isnan(y)) { \
      if (square == 0 && (!isnan(a) || !isnan(b))) { \
        x = copysign##f(INFINITY, c) * a, y = copysign##f(INFINITY, c) * b; \
      } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
        a = boxed##f(a), b = boxed##f(b); \
        x = INFINITY * (a * c + b * d), y = INFINITY * (b * c - a * d); \
      } else if (isinf(scale) && scale > 0 && isfinite(a) && isfinite(b)) { \
        c = boxed##f(c), d = boxed##f(d); \
        x = 0 * (a * c + b * d), y = 0 * (b * c - a * d); \
      } \
    } \
    return __builtin_complex(x, y); \
  }

PRODUCT(float, sc, f)
PRODUCT(double, dc, )
PRODUCT(long double, tc, l)
QUOTIENT(long double, tc, l)
