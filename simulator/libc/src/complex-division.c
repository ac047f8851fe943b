/*
 * Quotients of complex numbers, which Clang calls for `/` of std::complex and _Complex, with the steps of libgcc 12: for double Smith's
 * formula (1962), with Baudin's and Smith's care for what is very great or very small (2012); for float the plain one in double.
 */
#include <float.h>
#include <math.h>

static const double great = DBL_MAX / 2;
static const double moderate = DBL_MAX / 2 * DBL_EPSILON;
static const double tiny = DBL_EPSILON;

/** a + b * (small / big), over `sum`; in another order where that quotient is as good as lost. */
static double part(double a, double b, double small, double big, double sum) {
  const double ratio = small / big;
  return (fabs(ratio) > DBL_MIN ? a + b * ratio : a + small * (b / big)) / sum;
}

/** Infinite and zero operands, as C's Annex G has them. */
static double _Complex special(double a, double b, double c, double d, double _Complex computed) {
  if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) return __builtin_complex(copysign(INFINITY, c) * a, copysign(INFINITY, c) * b);
  if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
    a = copysign(isinf(a) ? 1 : 0, a);
    b = copysign(isinf(b) ? 1 : 0, b);
    return __builtin_complex(INFINITY * (a * c + b * d), INFINITY * (b * c - a * d));
  }
  if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
    c = copysign(isinf(c) ? 1 : 0, c);
    d = copysign(isinf(d) ? 1 : 0, d);
    return __builtin_complex(0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
  }
  return computed;
}

static int neitherIsNumber(double x, double y) { return isnan(x) && isnan(y); }

double _Complex __divdc3(double a, double b, double c, double d) {
  const int imaginary = fabs(c) < fabs(d);
  const double divisor = imaginary ? d : c;
  double scale = 1;
  if (fabs(divisor) >= great) scale = 0.5;
  else if (fabs(divisor) < tiny) scale = 1 / DBL_EPSILON;
  else if (fabs(divisor) < moderate && ((fabs(a) < tiny && fabs(b) < moderate) || (fabs(b) < tiny && fabs(a) < moderate))) scale = 1 / DBL_EPSILON;
  const double p = a * scale, q = b * scale;
  const double big = divisor * scale, small = (imaginary ? c : d) * scale;
  const double sum = small * (small / big) + big;
  const double x = imaginary ? part(q, p, small, big, sum) : part(p, q, small, big, sum);
  const double y = imaginary ? part(-p, q, small, big, sum) : part(q, -p, small, big, sum);
  const double _Complex computed = __builtin_complex(x, y);
  // What the scaling made infinite counts as infinite.
  return neitherIsNumber(x, y) ? special(p, q, c * scale, d * scale, computed) : computed;
}

float _Complex __divsc3(float a, float b, float c, float d) {
  const double square = (double)c * c + (double)d * d;
  const double x = ((double)a * c + (double)b * d) / square;
  const double y = ((double)b * c - (double)a * d) / square;
  const double _Complex result = neitherIsNumber(x, y) ? special(a, b, c, d, __builtin_complex(x, y)) : __builtin_complex(x, y);
  return __builtin_complex((float)__real__ result, (float)__imag__ result);
}
