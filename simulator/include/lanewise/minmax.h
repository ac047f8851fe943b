/* CUDA's min and max, on both sides, with its rules for mixed types. */
#pragma once
#include "../host_defines.h"

#define __LANEWISE_MINMAX(result, first, second) \
  __LANEWISE_BOTH result min(first a, second b) { return (result)a < (result)b ? (result)a : (result)b; } \
  __LANEWISE_BOTH result max(first a, second b) { return (result)a > (result)b ? (result)a : (result)b; }
__LANEWISE_MINMAX(int, int, int)
__LANEWISE_MINMAX(unsigned int, unsigned int, unsigned int)
__LANEWISE_MINMAX(unsigned int, int, unsigned int)
__LANEWISE_MINMAX(unsigned int, unsigned int, int)
__LANEWISE_MINMAX(long, long, long)
__LANEWISE_MINMAX(unsigned long, unsigned long, unsigned long)
__LANEWISE_MINMAX(unsigned long, long, unsigned long)
__LANEWISE_MINMAX(unsigned long, unsigned long, long)
__LANEWISE_MINMAX(long long, long long, long long)
__LANEWISE_MINMAX(unsigned long long, unsigned long long, unsigned long long)
__LANEWISE_MINMAX(unsigned long long, long long, unsigned long long)
__LANEWISE_MINMAX(unsigned long long, unsigned long long, long long)
#undef __LANEWISE_MINMAX

#define __LANEWISE_FLOAT_MINMAX(result, first, second, suffix) \
  __LANEWISE_BOTH result min(first a, second b) { return __builtin_fmin##suffix(a, b); } \
  __LANEWISE_BOTH result max(first a, second b) { return __builtin_fmax##suffix(a, b); }
__LANEWISE_FLOAT_MINMAX(float, float, float, f)
__LANEWISE_FLOAT_MINMAX(double, double, double, )
__LANEWISE_FLOAT_MINMAX(double, float, double, )
__LANEWISE_FLOAT_MINMAX(double, double, float, )
#undef __LANEWISE_FLOAT_MINMAX
__LANEWISE_BOTH unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
__LANEWISE_BOTH unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
__LANEWISE_BOTH long long llmin(long long a, long long b) { return a < b ? a : b; }
__LANEWISE_BOTH long long llmax(long long a, long long b) { return a > b ? a : b; }
__LANEWISE_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__LANEWISE_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
