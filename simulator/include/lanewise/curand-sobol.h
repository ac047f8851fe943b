/*
 * Sobol's sequences as cuRAND has them: direction numbers after S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better
 * two-dimensional projections" (2008), criterion D6, for the first 257 dimensions; that these are cuRAND's was checked with its library.
 * The polynomials are all primitive ones over GF(2) in order, and are found here; the numbers that start each dimension are theirs.
 */
#pragma once
#include "../host_defines.h"
#include "curand-distributions.h"
#include <cstdio>
#include <cstdlib>

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;

struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;

namespace __lanewise {

inline constexpr unsigned int sobolDimensions = 257, curandDimensions = 20000;
/* The first numbers of dimensions 2 to 257, as many of each as its polynomial's degree. */
inline constexpr unsigned short sobolStarts[] = {
  1, 1, 3, 1, 3, 1, 1, 1, 1, 1, 1, 3, 3, 1, 3, 5, 13, 1, 1, 5, 5, 17, 1, 1, 5, 5, 5, 1, 1, 7, 11, 19, 1, 1, 5, 1, 1, 1, 1, 1, 3, 11, 1,
  3, 5, 5, 31, 1, 3, 3, 9, 7, 49, 1, 1, 1, 15, 21, 21, 1, 3, 1, 13, 27, 49, 1, 1, 1, 15, 7, 5, 1, 3, 1, 15, 13, 25, 1, 1, 5, 5, 19, 61,
  1, 3, 7, 11, 23, 15, 103, 1, 3, 7, 13, 13, 15, 69, 1, 1, 3, 13, 7, 35, 63, 1, 3, 5, 9, 1, 25, 53, 1, 3, 1, 13, 9, 35, 107, 1, 3, 1, 5,
  27, 61, 31, 1, 1, 5, 11, 19, 41, 61, 1, 3, 5, 3, 3, 13, 69, 1, 1, 7, 13, 1, 19, 1, 1, 3, 7, 5, 13, 19, 59, 1, 1, 3, 9, 25, 29, 41, 1,
  3, 5, 13, 23, 1, 55, 1, 3, 7, 3, 13, 59, 17, 1, 3, 1, 3, 5, 53, 69, 1, 1, 5, 5, 23, 33, 13, 1, 1, 7, 7, 1, 61, 123, 1, 1, 7, 9, 13, 61,
  49, 1, 3, 3, 5, 3, 55, 33, 1, 3, 1, 15, 31, 13, 49, 245, 1, 3, 5, 15, 31, 59, 63, 97, 1, 3, 1, 11, 11, 11, 77, 249, 1, 3, 1, 11, 27,
  43, 71, 9, 1, 1, 7, 15, 21, 11, 81, 45, 1, 3, 7, 3, 25, 31, 65, 79, 1, 3, 1, 1, 19, 11, 3, 205, 1, 1, 5, 9, 19, 21, 29, 157, 1, 3, 7,
  11, 1, 33, 89, 185, 1, 3, 3, 3, 15, 9, 79, 71, 1, 3, 7, 11, 15, 39, 119, 27, 1, 1, 3, 1, 11, 31, 97, 225, 1, 1, 1, 3, 23, 43, 57, 177,
  1, 3, 7, 7, 17, 17, 37, 71, 1, 3, 1, 5, 27, 63, 123, 213, 1, 1, 3, 5, 11, 43, 53, 133, 1, 3, 5, 5, 29, 17, 47, 173, 479, 1, 3, 3, 11,
  3, 1, 109, 9, 69, 1, 1, 1, 5, 17, 39, 23, 5, 343, 1, 3, 1, 5, 25, 15, 31, 103, 499, 1, 1, 1, 11, 11, 17, 63, 105, 183, 1, 1, 5, 11, 9,
  29, 97, 231, 363, 1, 1, 5, 15, 19, 45, 41, 7, 383, 1, 3, 7, 7, 31, 19, 83, 137, 221, 1, 1, 1, 3, 23, 15, 111, 223, 83, 1, 1, 5, 13, 31,
  15, 55, 25, 161, 1, 1, 3, 13, 25, 47, 39, 87, 257, 1, 1, 1, 11, 21, 53, 125, 249, 293, 1, 1, 7, 11, 11, 7, 57, 79, 323, 1, 1, 5, 5, 17,
  13, 81, 3, 131, 1, 1, 7, 13, 23, 7, 65, 251, 475, 1, 3, 5, 1, 9, 43, 3, 149, 11, 1, 1, 3, 13, 31, 13, 13, 255, 487, 1, 3, 3, 1, 5, 63,
  89, 91, 127, 1, 1, 3, 3, 1, 19, 123, 127, 237, 1, 1, 5, 7, 23, 31, 37, 243, 289, 1, 1, 5, 11, 17, 53, 117, 183, 491, 1, 1, 1, 5, 1, 13,
  13, 209, 345, 1, 1, 3, 15, 1, 57, 115, 7, 33, 1, 3, 1, 11, 7, 43, 81, 207, 175, 1, 3, 1, 1, 15, 27, 63, 255, 49, 1, 3, 5, 3, 27, 61,
  105, 171, 305, 1, 1, 5, 3, 1, 3, 57, 249, 149, 1, 1, 3, 5, 5, 57, 15, 13, 159, 1, 1, 1, 11, 7, 11, 105, 141, 225, 1, 3, 3, 5, 27, 59,
  121, 101, 271, 1, 3, 5, 9, 11, 49, 51, 59, 115, 1, 1, 7, 1, 23, 45, 125, 71, 419, 1, 1, 3, 5, 23, 5, 105, 109, 75, 1, 1, 7, 15, 7, 11,
  67, 121, 453, 1, 3, 7, 3, 9, 13, 31, 27, 449, 1, 3, 1, 15, 19, 39, 39, 89, 15, 1, 1, 1, 1, 1, 33, 73, 145, 379, 1, 3, 1, 15, 15, 43,
  29, 13, 483, 1, 1, 7, 3, 19, 27, 85, 131, 431, 1, 3, 3, 3, 5, 35, 23, 195, 349, 1, 3, 3, 7, 9, 27, 39, 59, 297, 1, 1, 3, 9, 11, 17, 13,
  241, 157, 1, 3, 7, 15, 25, 57, 33, 189, 213, 1, 1, 7, 1, 9, 55, 73, 83, 217, 1, 3, 3, 13, 19, 27, 23, 113, 249, 1, 3, 5, 3, 23, 43, 3,
  253, 479, 1, 1, 5, 5, 11, 5, 45, 117, 217, 1, 3, 3, 7, 29, 37, 33, 123, 147, 1, 3, 1, 15, 5, 5, 37, 227, 223, 459, 1, 1, 7, 5, 5, 39,
  63, 255, 135, 487, 1, 3, 1, 7, 9, 7, 87, 249, 217, 599, 1, 1, 3, 13, 9, 47, 7, 225, 363, 247, 1, 3, 7, 13, 19, 13, 9, 67, 9, 737, 1, 3,
  5, 5, 19, 59, 7, 41, 319, 677, 1, 1, 5, 3, 31, 63, 15, 43, 207, 789, 1, 1, 7, 9, 13, 39, 3, 47, 497, 169, 1, 3, 1, 7, 21, 17, 97, 19,
  415, 905, 1, 3, 7, 1, 3, 31, 71, 111, 165, 127, 1, 1, 5, 11, 1, 61, 83, 119, 203, 847, 1, 3, 3, 13, 9, 61, 19, 97, 47, 35, 1, 1, 7, 7,
  15, 29, 63, 95, 417, 469, 1, 3, 1, 9, 25, 9, 71, 57, 213, 385, 1, 3, 5, 13, 31, 47, 101, 57, 39, 341, 1, 1, 3, 3, 31, 57, 125, 173,
  365, 551, 1, 3, 7, 1, 13, 57, 67, 157, 451, 707, 1, 1, 1, 7, 21, 13, 105, 89, 429, 965, 1, 1, 5, 9, 17, 51, 45, 119, 157, 141, 1, 3, 7,
  7, 13, 45, 91, 9, 129, 741, 1, 3, 7, 1, 23, 57, 67, 141, 151, 571, 1, 1, 3, 11, 17, 47, 93, 107, 375, 157, 1, 3, 3, 5, 11, 21, 43, 51,
  169, 915, 1, 1, 5, 3, 15, 55, 101, 67, 455, 625, 1, 3, 5, 9, 1, 23, 29, 47, 345, 595, 1, 3, 7, 7, 5, 49, 29, 155, 323, 589, 1, 3, 3, 7,
  5, 41, 127, 61, 261, 717, 1, 3, 7, 7, 17, 23, 117, 67, 129, 1009, 1, 1, 3, 13, 11, 39, 21, 207, 123, 305, 1, 1, 3, 9, 29, 3, 95, 47,
  231, 73, 1, 3, 1, 9, 1, 29, 117, 21, 441, 259, 1, 3, 1, 13, 21, 39, 125, 211, 439, 723, 1, 1, 7, 3, 17, 63, 115, 89, 49, 773, 1, 3, 7,
  13, 11, 33, 101, 107, 63, 73, 1, 1, 5, 5, 13, 57, 63, 135, 437, 177, 1, 1, 3, 7, 27, 63, 93, 47, 417, 483, 1, 1, 3, 1, 23, 29, 1, 191,
  49, 23, 1, 1, 3, 15, 25, 55, 9, 101, 219, 607, 1, 3, 1, 7, 7, 19, 51, 251, 393, 307, 1, 3, 3, 3, 25, 55, 17, 75, 337, 3, 1, 1, 1, 13,
  25, 17, 65, 45, 479, 413, 1, 1, 7, 7, 27, 49, 99, 161, 213, 727, 1, 3, 5, 1, 23, 5, 43, 41, 251, 857, 1, 3, 3, 7, 11, 61, 39, 87, 383,
  835, 1, 1, 3, 15, 13, 7, 29, 7, 505, 923, 1, 3, 7, 1, 5, 31, 47, 157, 445, 501, 1, 1, 3, 7, 1, 43, 9, 147, 115, 605, 1, 3, 3, 13, 5, 1,
  119, 211, 455, 1001, 1, 1, 3, 5, 13, 19, 3, 243, 75, 843, 1, 3, 7, 7, 1, 19, 91, 249, 357, 589, 1, 1, 1, 9, 1, 25, 109, 197, 279, 411,
  1, 3, 1, 15, 23, 57, 59, 135, 191, 75, 1, 1, 5, 15, 29, 21, 39, 253, 383, 349, 1, 3, 3, 5, 19, 45, 61, 151, 199, 981, 1, 3, 5, 13, 9,
  61, 107, 141, 141, 1, 1, 3, 1, 11, 27, 25, 85, 105, 309, 979, 1, 3, 3, 11, 19, 7, 115, 223, 349, 43, 1, 1, 7, 9, 21, 39, 123, 21, 275,
  927, 1, 1, 7, 13, 15, 41, 47, 243, 303, 437, 1, 1, 1, 7, 7, 3, 15, 99, 409, 719, 1, 3, 3, 15, 27, 49, 113, 123, 113, 67, 469, 1, 3, 7,
  11, 3, 23, 87, 169, 119, 483, 199, 1, 1, 5, 15, 7, 17, 109, 229, 179, 213, 741, 1, 1, 5, 13, 11, 17, 25, 135, 403, 557, 1433, 1, 3, 1,
  1, 1, 61, 67, 215, 189, 945, 1243, 1, 1, 7, 13, 17, 33, 9, 221, 429, 217, 1679, 1, 1, 3, 11, 27, 3, 15, 93, 93, 865, 1049, 1, 3, 7, 7,
  25, 41, 121, 35, 373, 379, 1547, 1, 3, 3, 9, 11, 35, 45, 205, 241, 9, 59, 1, 3, 1, 7, 3, 51, 7, 177, 53, 975, 89, 1, 1, 3, 5, 27, 1,
  113, 231, 299, 759, 861, 1, 3, 3, 15, 25, 29, 5, 255, 139, 891, 2031, 1, 3, 1, 1, 13, 9, 109, 193, 419, 95, 17, 1, 1, 7, 9, 3, 7, 29,
  41, 135, 839, 867, 1, 1, 7, 9, 25, 49, 123, 217, 113, 909, 215, 1, 1, 7, 3, 23, 15, 43, 133, 217, 327, 901, 1, 1, 3, 3, 13, 53, 63,
  123, 477, 711, 1387, 1, 1, 3, 15, 7, 29, 75, 119, 181, 957, 247, 1, 1, 1, 11, 27, 25, 109, 151, 267, 99, 1461, 1, 3, 7, 15, 5, 5, 53,
  145, 11, 725, 1501, 1, 3, 7, 1, 9, 43, 71, 229, 157, 607, 1835, 1, 3, 3, 13, 25, 1, 5, 27, 471, 349, 127, 1, 1, 1, 1, 23, 37, 9, 221,
  269, 897, 1685, 1, 1, 3, 3, 31, 29, 51, 19, 311, 553, 1969, 1, 3, 7, 5, 5, 55, 17, 39, 475, 671, 1529, 1, 1, 7, 1, 1, 35, 47, 27, 437,
  395, 1635, 1, 1, 7, 3, 13, 23, 43, 135, 327, 139, 389, 1, 3, 7, 3, 9, 25, 91, 25, 429, 219, 513, 1, 1, 3, 5, 13, 29, 119, 201, 277,
  157, 2043, 1, 3, 5, 3, 29, 57, 13, 17, 167, 739, 1031, 1, 3, 3, 5, 29, 21, 95, 27, 255, 679, 1531, 1, 3, 7, 15, 9, 5, 21, 71, 61, 961,
  1201, 1, 3, 5, 13, 15, 57, 33, 93, 459, 867, 223, 1, 1, 1, 15, 17, 43, 127, 191, 67, 177, 1073, 1, 1, 1, 15, 23, 7, 21, 199, 75, 293,
  1611, 1, 3, 7, 13, 15, 39, 21, 149, 65, 741, 319, 1, 3, 7, 11, 23, 13, 101, 89, 277, 519, 711, 1, 3, 7, 15, 19, 27, 85, 203, 441, 97,
  1895, 1, 3, 1, 3, 29, 25, 21, 155, 11, 191, 197, 1, 1, 7, 5, 27, 11, 81, 101, 457, 675, 1687, 1, 3, 1, 5, 25, 5, 65, 193, 41, 567, 781,
  1, 3, 1, 5, 11, 15, 113, 77, 411, 695, 1111, 1, 1, 3, 9, 11, 53, 119, 171, 55, 297, 509, 1, 1, 1, 1, 11, 39, 113, 139, 165, 347, 595,
  1, 3, 7, 11, 9, 17, 101, 13, 81, 325, 1733, 1, 3, 1, 1, 21, 43, 115, 9, 113, 907, 645, 1, 1, 7, 3, 9, 25, 117, 197, 159, 471, 475, 1,
  3, 1, 9, 11, 21, 57, 207, 485, 613, 1661, 1, 1, 7, 7, 27, 55, 49, 223, 89, 85, 1523, 1, 1, 5, 3, 19, 41, 45, 51, 447, 299, 1355, 1, 3,
  1, 13, 1, 33, 117, 143, 313, 187, 1073, 1, 1, 7, 7, 5, 11, 65, 97, 377, 377, 1501, 1, 3, 1, 1, 21, 35, 95, 65, 99, 23, 1239, 1, 1, 5,
  9, 3, 37, 95, 167, 115, 425, 867, 1, 3, 3, 13, 1, 37, 27, 189, 81, 679, 773, 1, 1, 3, 11, 1, 61, 99, 233, 429, 969, 49, 1, 1, 1, 7, 25,
  63, 99, 165, 245, 793, 1143, 1, 1, 5, 11, 11, 43, 55, 65, 71, 283, 273, 1, 1, 5, 5, 9, 3, 101, 251, 355, 379, 1611, 1, 1, 1, 15, 21,
  63, 85, 99, 49, 749, 1335, 1, 1, 5, 13, 27, 9, 121, 43, 255, 715, 289, 1, 3, 1, 5, 27, 19, 17, 223, 77, 571, 1415, 1, 1, 5, 3, 13, 59,
  125, 251, 195, 551, 1737, 1, 3, 3, 15, 13, 27, 49, 105, 389, 971, 755, 1, 3, 5, 15, 23, 43, 35, 107, 447, 763, 253, 1, 3, 5, 11, 21, 3,
  17, 39, 497, 407, 611, 1, 1, 7, 13, 15, 31, 113, 17, 23, 507, 1995, 1, 1, 7, 15, 3, 15, 31, 153, 423, 79, 503, 1, 1, 7, 9, 19, 25, 23,
  171, 505, 923, 1989, 1, 1, 5, 9, 21, 27, 121, 223, 133, 87, 697, 1, 1, 5, 5, 9, 19, 107, 99, 319, 765, 1461, 1, 1, 3, 3, 19, 25, 3,
  101, 171, 729, 187, 1, 1, 3, 1, 13, 23, 85, 93, 291, 209, 37, 1, 1, 1, 15, 25, 25, 77, 253, 333, 947, 1073, 1, 1, 3, 9, 17, 29, 55, 47,
  255, 305, 2037, 1, 3, 3, 9, 29, 63, 9, 103, 489, 939, 1523, 1, 3, 7, 15, 7, 31, 89, 175, 369, 339, 595, 1, 3, 7, 13, 25, 5, 71, 207,
  251, 367, 665, 1, 3, 3, 3, 21, 25, 75, 35, 31, 321, 1603, 1, 1, 1, 9, 11, 1, 65, 5, 11, 329, 535, 1, 1, 5, 3, 19, 13, 17, 43, 379, 485,
  383, 1, 3, 5, 13, 13, 9, 85, 147, 489, 787, 1133, 1, 3, 1, 1, 5, 51, 37, 129, 195, 297, 1783, 1, 1, 3, 15, 19, 57, 59, 181, 455, 697,
  2033, 1, 3, 7, 1, 27, 9, 65, 145, 325, 189, 201, 1, 3, 1, 15, 31, 23, 19, 5, 485, 581, 539, 1, 1, 7, 13, 11, 15, 65, 83, 185, 847, 831,
  1, 3, 5, 7, 7, 55, 73, 15, 303, 511, 1905, 1, 3, 5, 9, 7, 21, 45, 15, 397, 385, 597, 1, 3, 7, 3, 23, 13, 73, 221, 511, 883, 1265, 1, 1,
  3, 11, 1, 51, 73, 185, 33, 975, 1441, 1, 3, 3, 9, 19, 59, 21, 39, 339, 37, 143, 1, 1, 7, 1, 31, 33, 19, 167, 117, 635, 639, 1, 1, 1, 3,
  5, 13, 59, 83, 355, 349, 1967, 1, 1, 1, 5, 19, 3, 53, 133, 97, 863, 983, 1, 3, 1, 13, 9, 41, 91, 105, 173, 97, 625,
};

/* x to the power of e, modulo a polynomial over GF(2). */
inline unsigned int powerOfX(unsigned int e, unsigned int polynomial, unsigned int degree) {
  auto times = [&](unsigned int a, unsigned int b) {
    unsigned int product = 0;
    for (; b; b >>= 1, a <<= 1, a ^= a >> degree & 1 ? polynomial : 0) if (b & 1) product ^= a;
    return product;
  };
  unsigned int result = 1, power = degree == 1 ? 1 : 2;
  for (; e; e >>= 1, power = times(power, power)) if (e & 1) result = times(result, power);
  return result;
}
inline bool isPrimitive(unsigned int polynomial, unsigned int degree) {
  unsigned int order = (1u << degree) - 1, rest = order;
  if (powerOfX(order, polynomial, degree) != 1) return false;
  for (unsigned int q = 2; q <= rest; ++q) {
    if (rest % q) continue;
    if (powerOfX(order / q, polynomial, degree) == 1 && order > 1) return false;
    while (rest % q == 0) rest /= q;
  }
  return true;
}

/* Vectors of all of cuRAND's dimensions; those that are left out stay zero, which curand_init and the host's generators refuse. */
template <class T, int bits> T (*sobolVectors())[bits] {
  static T(*all)[bits] = nullptr;
  if (all) return all;
  all = (T(*)[bits])calloc(curandDimensions, sizeof *all);
  for (int k = 0; k < bits; ++k) all[0][k] = (T)1 << (bits - 1 - k);
  unsigned int dimension = 1;
  const unsigned short* start = sobolStarts;
  for (unsigned int degree = 1; dimension < sobolDimensions; ++degree) {
    for (unsigned int inner = 0; inner < 1u << (degree - 1) && dimension < sobolDimensions; ++inner) {
      if (!isPrimitive(1u << degree | inner << 1 | 1, degree)) continue;
      T* v = all[dimension++];
      for (unsigned int k = 0; k < (unsigned int)bits; ++k) {
        if (k < degree) {
          v[k] = (T)*start++ << (bits - 1 - k);
          continue;
        }
        v[k] = v[k - degree] ^ (v[k - degree] >> degree);
        for (unsigned int j = 1; j < degree; ++j) if (inner >> (degree - 1 - j) & 1) v[k] ^= v[k - j];
      }
    }
  }
  return all;
}

template <class State, class T> __LANEWISE_BOTH void sobolSkip(State* state, T n) {
  constexpr int bits = 8 * sizeof(T);
  state->i += n;
  state->x = state->c;
  T gray = state->i ^ (state->i >> 1);
  for (int k = 0; k < bits; ++k) if (gray >> k & 1) state->x ^= state->direction_vectors[k];
}
template <class State, class T> __LANEWISE_BOTH void sobolInit(const T* vectors, T offset, State* state) {
  constexpr int bits = 8 * sizeof(T);
  if (vectors[0] == 0) {
    printf("cuRAND in the simulator has Sobol's direction vectors for the first %u dimensions, and curand_init was given others\n", sobolDimensions);
#ifdef __CUDA_ARCH__
    __builtin_trap();
#else
    abort();
#endif
  }
  for (int k = 0; k < bits; ++k) state->direction_vectors[k] = vectors[k];
  state->i = 0;
  state->c = 0;
  sobolSkip(state, offset);
}
template <class State> __LANEWISE_BOTH auto sobolNext(State* state) {
  auto result = state->x;
  int zero = 0;
  while (state->i >> zero & 1) ++zero;
  ++state->i;
  state->x ^= state->direction_vectors[zero];
  return result;
}

}  // namespace __lanewise

__LANEWISE_BOTH void curand_init(const unsigned int* vectors, unsigned int offset, curandStateSobol32_t* state) { __lanewise::sobolInit(vectors, offset, state); }
__LANEWISE_BOTH void curand_init(const unsigned long long* vectors, unsigned long long offset, curandStateSobol64_t* state) { __lanewise::sobolInit(vectors, offset, state); }
__LANEWISE_BOTH unsigned int curand(curandStateSobol32_t* state) { return __lanewise::sobolNext(state); }
__LANEWISE_BOTH unsigned long long curand(curandStateSobol64_t* state) { return __lanewise::sobolNext(state); }
__LANEWISE_BOTH void skipahead(unsigned int n, curandStateSobol32_t* state) { __lanewise::sobolSkip(state, n); }
__LANEWISE_BOTH void skipahead(unsigned long long n, curandStateSobol64_t* state) { __lanewise::sobolSkip(state, n); }
__LANEWISE_BOTH float curand_uniform(curandStateSobol32_t* state) { return __lanewise::uniform(curand(state)); }
__LANEWISE_BOTH float curand_uniform(curandStateSobol64_t* state) { return __lanewise::uniform((unsigned int)(curand(state) >> 32)); }
__LANEWISE_BOTH double curand_uniform_double(curandStateSobol32_t* state) { return __lanewise::coarseUniform(curand(state)); }
__LANEWISE_BOTH double curand_uniform_double(curandStateSobol64_t* state) { return (curand(state) >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2; }

/* By the inverse of the normal distribution, since one number of a quasi-random sequence gives one. */
__LANEWISE_BOTH float curand_normal(curandStateSobol32_t* state) { return __lanewise::inverseNormal(curand(state)); }
__LANEWISE_BOTH float curand_normal(curandStateSobol64_t* state) { return __lanewise::inverseNormal((unsigned int)(curand(state) >> 32)); }
__LANEWISE_BOTH double curand_normal_double(curandStateSobol32_t* state) { return __lanewise::fineInverseNormal(curand(state)); }
__LANEWISE_BOTH double curand_normal_double(curandStateSobol64_t* state) {
  unsigned long long x = curand(state);
  double sign = -1.4142135623730951;
  if (x > 1ull << 63) { x = ~x; sign = -sign; }
  return sign * erfcinv(2 * ((x >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2));
}
#define __LANEWISE_SOBOL(State) \
  __LANEWISE_BOTH float curand_log_normal(State* state, float mean, float deviation) { return expf(mean + deviation * curand_normal(state)); } \
  __LANEWISE_BOTH double curand_log_normal_double(State* state, double mean, double deviation) { return exp(mean + deviation * curand_normal_double(state)); } \
  unsigned int curand_poisson(State* state, double lambda) = delete;
__LANEWISE_SOBOL(curandStateSobol32_t)
__LANEWISE_SOBOL(curandStateSobol64_t)
#undef __LANEWISE_SOBOL
