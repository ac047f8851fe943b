/*
 * The types of cuRAND's generator MTGP32: the Mersenne Twister for graphics processors of Saito and Matsumoto (Variants of Mersenne Twister
 * suitable for graphic processors, 2013), one generator for each block, of which every thread draws a number at a time.
 */
#ifndef CURAND_MTGP32_H
#define CURAND_MTGP32_H
#pragma GCC system_header

#define MTGPDC_MEXP 11213
#define MTGPDC_N 351
#define MTGPDC_FLOOR_2P 256
#define MTGPDC_CEIL_2P 512
#define MTGPDC_PARAM_TABLE mtgp32dc_params_fast_11213
#define MTGP32_STATE_SIZE 1024
#define MTGP32_STATE_MASK 1023
#define CURAND_NUM_MTGP32_PARAMS 200
#define MEXP 11213
#define THREAD_NUM MTGPDC_FLOOR_2P
#define LARGE_SIZE (THREAD_NUM * 3)
#define TBL_SIZE 16

typedef struct mtgp32_params_fast {
  int mexp, pos, sh1, sh2;
  unsigned int tbl[TBL_SIZE], tmp_tbl[TBL_SIZE], flt_tmp_tbl[TBL_SIZE];
  unsigned int mask;
  unsigned char poly_sha1[21];
} mtgp32_params_fast_t;

typedef struct mtgp32_kernel_params {
  unsigned int pos_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
} mtgp32_kernel_params_t;

/* A ring of the sequence's words, where the next number's begin, and which set of parameters it has. */
typedef struct curandStateMtgp32 {
  unsigned int s[MTGP32_STATE_SIZE];
  int offset;
  int pIdx;
  mtgp32_kernel_params_t* k;
} curandStateMtgp32_t;

#endif
