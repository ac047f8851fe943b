/* What WebAssembly has instructions for. */
#include <math.h>

#define ONE_ARGUMENT(name) \
  double name(double x) { return __builtin_##name(x); } \
  float name##f(float x) { return __builtin_##name##f(x); }

ONE_ARGUMENT(sqrt)
ONE_ARGUMENT(floor)
ONE_ARGUMENT(ceil)
ONE_ARGUMENT(trunc)
ONE_ARGUMENT(rint)
ONE_ARGUMENT(nearbyint)
ONE_ARGUMENT(fabs)

double copysign(double x, double y) { return __builtin_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
