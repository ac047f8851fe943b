/* Between 128-bit integers, floating-point types and those of 16 bits, and powers by integers, under the names by which Clang calls them. */
#include "wide.h"

static double power_of_two(int exponent) { return (union { u64 bits; double value; }){ (u64)(1023 + exponent) << 52 }.value; }

/* The upper 64 bits that count, the last of which says whether any below are set: so that rounding them rounds the whole. */
static u64 top_of(wide x, int *shift) {
  *shift = x.high ? 64 - __builtin_clzll(x.high) : 0;
  wide cut = wide_left(x, *shift ? 128 - *shift : 0);
  return wide_right(x, *shift).low | (*shift && !wide_is_zero(cut));
}

double __floatuntidf(u128 value) {
  int shift;
  u64 top = top_of(halves(value), &shift);
  return (double)top * power_of_two(shift);
}

float __floatuntisf(u128 value) {
  int shift;
  u64 top = top_of(halves(value), &shift);
  return (float)top * (float)power_of_two(shift);
}

double __floattidf(s128 value) { return value < 0 ? -__floatuntidf(-(u128)value) : __floatuntidf(value); }
float __floattisf(s128 value) { return value < 0 ? -__floatuntisf(-(u128)value) : __floatuntisf(value); }

u128 __fixunsdfti(double value) {
  if (!(value >= 1)) return 0;
  if (value >= power_of_two(127) * 2) return ~(u128)0;
  double high = __builtin_floor(value * power_of_two(-64));
  return joined((wide){ (u64)(value - high * power_of_two(64)), (u64)high });
}

u128 __fixunssfti(float value) { return __fixunsdfti(value); }

s128 __fixdfti(double value) {
  u128 limit = (u128)1 << 127;
  if (value != value) return limit;
  u128 magnitude = __fixunsdfti(value < 0 ? -value : value);
  if (value < 0) return magnitude > limit ? limit : -magnitude;
  return magnitude >= limit ? limit - 1 : magnitude;
}

s128 __fixsfti(float value) { return __fixdfti(value); }

/* A double as a type of 16 bits with so many exponent and fraction bits. */
static uint16_t narrowed(double value, int exponent_bits, int fraction_bits) {
  u64 x = (union { double value; u64 bits; }){ value }.bits;
  uint16_t sign = x >> 63 << 15, special = ((1 << exponent_bits) - 1) << fraction_bits;
  int exponent = (x >> 52 & 0x7ff) - 1023 + (1 << (exponent_bits - 1)) - 1;
  u64 fraction = x & (((u64)1 << 52) - 1);
  if ((x >> 52 & 0x7ff) == 0x7ff) return sign | special | (fraction ? 1 << (fraction_bits - 1) | fraction >> (52 - fraction_bits) : 0);
  if (exponent >= (1 << exponent_bits) - 1) return sign | special;
  u64 significand = fraction | (u64)1 << 52;
  int dropped = 52 - fraction_bits;
  if (exponent <= 0) {
    dropped += 1 - exponent;
    exponent = 1;
    if (dropped > 54) return sign;
  }
  u64 rest = significand & (((u64)1 << dropped) - 1), half = (u64)1 << (dropped - 1);
  uint16_t result = (significand >> dropped) + ((exponent - 1) << fraction_bits);
  if (rest > half || (rest == half && (result & 1))) result++;
  return sign | result;
}

static float widened(uint16_t value, int exponent_bits, int fraction_bits) {
  int special = (1 << exponent_bits) - 1, exponent = value >> fraction_bits & special;
  uint32_t fraction = value & ((1 << fraction_bits) - 1), sign = (uint32_t)(value >> 15) << 31;
  uint32_t moved = fraction << (23 - fraction_bits);
  if (exponent == special) return (union { uint32_t bits; float value; }){ sign | 0x7f800000 | moved }.value;
  if (exponent == 0) {
    float magnitude = fraction * (float)power_of_two(2 - (1 << (exponent_bits - 1)) - fraction_bits);
    return sign ? -magnitude : magnitude;
  }
  return (union { uint32_t bits; float value; }){ sign | (uint32_t)(exponent - (special >> 1) + 127) << 23 | moved }.value;
}

float __extendhfsf2(uint16_t value) { return widened(value, 5, 10); }
uint16_t __truncsfhf2(float value) { return narrowed(value, 5, 10); }
uint16_t __truncdfhf2(double value) { return narrowed(value, 5, 10); }
uint16_t __truncsfbf2(float value) { return narrowed(value, 8, 7); }
uint16_t __truncdfbf2(double value) { return narrowed(value, 8, 7); }

double __powidf2(double base, int exponent) {
  double result = 1;
  for (unsigned left = exponent < 0 ? -(unsigned)exponent : exponent; left; left >>= 1, base *= base)
    if (left & 1) result *= base;
  return exponent < 0 ? 1 / result : result;
}

float __powisf2(float base, int exponent) {
  float result = 1;
  for (unsigned left = exponent < 0 ? -(unsigned)exponent : exponent; left; left >>= 1, base *= base)
    if (left & 1) result *= base;
  return exponent < 0 ? 1 / result : result;
}
