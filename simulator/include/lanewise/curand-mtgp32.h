/*
 * cuRAND's generator MTGP32 for device and host, and many of them as the host's functions use them: each gives 256 numbers, then the next
 * (found with the generators that cuRAND runs on the host; an H200's are the same, test/fixtures/runtime/curand-twisters.cu).
 */
#pragma once
#include "../curand_mtgp32dc_p_11213.h"
#include "../host_defines.h"
#include <vector>

namespace __lanewise {

/* A new word of the sequence, and the row of the tempering matrices that belongs to it. */
struct MtgpWord { unsigned int word, row; };

__LANEWISE_BOTH MtgpWord mtgpWord(const curandStateMtgp32_t* state, unsigned int place) {
  const mtgp32_kernel_params_t& k = *state->k;
  int set = state->pIdx;
  unsigned int at = state->offset + place, pick = at + k.pos_tbl[set];
  unsigned int x = (state->s[at & MTGP32_STATE_MASK] & k.mask[0]) ^ state->s[(at + 1) & MTGP32_STATE_MASK];
  x ^= x << k.sh1_tbl[set];
  unsigned int y = x ^ (state->s[pick & MTGP32_STATE_MASK] >> k.sh2_tbl[set]);
  unsigned int beside = state->s[(pick - 1) & MTGP32_STATE_MASK];
  beside ^= beside >> 16;
  beside ^= beside >> 8;
  return {y ^ k.param_tbl[set][y & 15], beside & 15};
}
__LANEWISE_BOTH unsigned int mtgpNumber(curandStateMtgp32_t* state, unsigned int place) {
  MtgpWord next = mtgpWord(state, place);
  state->s[(state->offset + place + MTGPDC_N) & MTGP32_STATE_MASK] = next.word;
  return next.word ^ state->k->temper_tbl[state->pIdx][next.row];
}
__LANEWISE_BOTH void mtgpMove(curandStateMtgp32_t* state, unsigned int count) { state->offset = (state->offset + count) & MTGP32_STATE_MASK; }

inline void mtgpParameters(const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t* k) {
  k->mask[0] = sets[0].mask;
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    k->pos_tbl[i] = sets[i].pos;
    k->sh1_tbl[i] = sets[i].sh1;
    k->sh2_tbl[i] = sets[i].sh2;
    for (int j = 0; j < TBL_SIZE; ++j) {
      k->param_tbl[i][j] = sets[i].tbl[j];
      k->temper_tbl[i][j] = sets[i].tmp_tbl[j];
      k->single_temper_tbl[i][j] = sets[i].flt_tmp_tbl[j];
    }
  }
}
/* Each set starts with a seed of its own, and with bytes that its matrix has chosen. */
inline void mtgpStart(curandStateMtgp32_t* state, const mtgp32_params_fast_t* sets, int set, mtgp32_kernel_params_t* k, unsigned long long seed) {
  unsigned int hidden = sets[set].tbl[4] ^ (sets[set].tbl[8] << 16), byte = hidden + (hidden >> 16);
  byte = (byte + (byte >> 8)) & 255;
  unsigned int* s = state->s;
  s[0] = (unsigned int)(seed ^ (seed >> 32)) + set + 1;
  for (unsigned int i = 1; i < MTGP32_STATE_SIZE; ++i) {
    s[i] = i >= MTGPDC_N ? 0 : (i == 1 ? hidden : byte * 0x01010101u) ^ (1812433253u * (s[i - 1] ^ (s[i - 1] >> 30)) + i);
  }
  state->offset = 0;
  state->pIdx = set;
  state->k = k;
}

class Mtgp32 {
  static constexpr unsigned int row = 256;
  std::vector<curandStateMtgp32_t> states;
  std::vector<mtgp32_kernel_params_t> parameters;
  unsigned int numbers[row];
  unsigned long long position = 0;

 public:
  void restart(unsigned long long seed, unsigned int generators) {
    parameters.resize(1);
    mtgpParameters(mtgp32dc_params_fast_11213, parameters.data());
    states.resize(generators);
    for (unsigned int i = 0; i < generators; ++i) mtgpStart(&states[i], mtgp32dc_params_fast_11213, i, parameters.data(), seed);
    position = 0;
  }
  unsigned int next() {
    unsigned int place = position % row;
    if (place == 0) {
      curandStateMtgp32_t* state = &states[position / row % states.size()];
      for (unsigned int k = 0; k < row; ++k) numbers[k] = mtgpNumber(state, k);
      mtgpMove(state, row);
    }
    ++position;
    return numbers[place];
  }
};

}  // namespace __lanewise
