/*
 * cuRAND's generator MT19937, for the host: 8192 of Matsumoto and Nishimura's Mersenne Twisters (1998), each 2^2048 numbers further in the
 * one sequence. Their numbers come in rows of 65536, eight of each, in the order in which eight threads hold a state of 624 words that they
 * renew together: found with the generators that cuRAND runs on the host, and an H200's are the same
 * (test/fixtures/runtime/curand-twisters.cu).
 */
#pragma once
#include <cstring>
#include <memory>
#include <vector>

namespace __lanewise {

class Mt19937 {
  static constexpr unsigned int size = 624, generators = 8192, threads = 8, row = generators * threads, turns = size / threads;
  struct State { unsigned int at[size]; };
  std::vector<State> states;
  unsigned long long position = 0;
  unsigned int seed = 0;

  static unsigned int following(unsigned int word, unsigned int next, unsigned int far) {
    unsigned int y = (word & 0x80000000u) | (next & 0x7fffffffu);
    return far ^ (y >> 1) ^ ((y & 1) ? 0x9908b0dfu : 0);
  }
  static void renew(State& s) {
    for (unsigned int k = 0; k < size; ++k) s.at[k] = following(s.at[k], s.at[(k + 1) % size], s.at[(k + 397) % size]);
  }
  static State start(unsigned int seed) {
    State s;
    s.at[0] = seed;
    for (unsigned int k = 1; k < size; ++k) s.at[k] = 1812433253u * (s.at[k - 1] ^ (s.at[k - 1] >> 30)) + k;
    renew(s);
    return s;
  }
  /*
   * The state 2^2048 numbers further: x^(2^2048) modulo the sequence's characteristic polynomial says which states' sum that is. Sums of up
   * to five states in a row are made first, one for each five bits that begin with a one.
   */
  static constexpr unsigned int degree = 19937, window = 5, sums = 1 << (window - 1), length = size + degree + window;
  struct Sequences { unsigned int at[sums][length]; };
  static unsigned int coefficient(unsigned int k) { return k < degree ? jumpPolynomial[k / 32] >> k % 32 & 1 : 0; }
  static std::vector<unsigned int> termsOfJump() {
    std::vector<unsigned int> terms;
    for (unsigned int k = 0; k < degree; ++k) {
      if (!coefficient(k)) continue;
      unsigned int sum = 0;
      for (unsigned int j = 1; j < window; ++j) sum |= coefficient(k + j) << (j - 1);
      terms.push_back(sum * length + k);
      k += window - 1;
    }
    return terms;
  }
  static State jump(const State& from) {
    static const std::vector<unsigned int> terms = termsOfJump();
    static const std::unique_ptr<Sequences> sequences(new Sequences);
    unsigned int* plain = sequences->at[0];
    for (unsigned int k = 0; k < size; ++k) plain[k] = from.at[k];
    for (unsigned int k = size; k < length; ++k) plain[k] = following(plain[k - size], plain[k - size + 1], plain[k - size + 397]);
    for (unsigned int sum = 1; sum < sums; ++sum) {
      unsigned int last = 31 - __builtin_clz(sum);
      const unsigned int* fewer = sequences->at[sum - (1 << last)];
      for (unsigned int k = 0; k < length - window; ++k) sequences->at[sum][k] = fewer[k] ^ plain[k + last + 1];
    }
    State to;
    constexpr unsigned int pairs = 12;
    for (unsigned int first = 0; first < size; first += 2 * pairs) {
      unsigned long long total[pairs] = {}, words[pairs];
      for (unsigned int term : terms) {
        memcpy(words, plain + term + first, sizeof(words));
        for (unsigned int k = 0; k < pairs; ++k) total[k] ^= words[k];
      }
      memcpy(to.at + first, total, sizeof(total));
    }
    return to;
  }
  /* Which word of its state a generator gives: each thread has one by itself and eleven groups of seven. */
  static unsigned int wordOf(unsigned int thread, unsigned int turn) {
    constexpr unsigned int alone[threads] = {0, 113, 170, 283, 340, 397, 510, 567};
    if (turn == 0) return alone[thread];
    unsigned int word = (turn - 1) / 7 * 56 + 7 * thread + (turn - 1) % 7;
    for (unsigned int k = 0; k < threads && word >= alone[k]; ++k) ++word;
    return word;
  }
  /* Computed by Berlekamp and Massey's algorithm from 39,924 bits of the generator's, and by squaring. */
  static constexpr unsigned int jumpPolynomial[size] = {
    0x88eb5cd8u, 0x39bc0180u, 0x993d87cau, 0x2d3bf7e2u, 0x112524a2u, 0x524f7caeu, 0x5bdd9ecu, 0xa50d266eu, 0x297f90cau, 0x4a5f234u, 0x77900cd4u, 0x5d3d7631u,
    0x3c3fd38cu, 0xe27a49c2u, 0x964f0ed5u, 0xa0d1b088u, 0x4840adddu, 0x811412feu, 0x5516a180u, 0x39b09b46u, 0x9d5385deu, 0xb73cdb1fu, 0xe839a822u, 0xe618d15eu,
    0x9b473ee0u, 0x2883ec58u, 0xe4517783u, 0x10814d0du, 0xcefeb2a0u, 0x69d962du, 0x4817bc6fu, 0x3256858eu, 0x69ea37b4u, 0xf50a48afu, 0x37010471u, 0x75a39a78u,
    0x1a4a3434u, 0x60372619u, 0xe4c372adu, 0xd9296259u, 0xe0209237u, 0x80ebea7fu, 0x488ebd07u, 0x42359d90u, 0xe4142b84u, 0x7ecb3e3au, 0xac2a056fu, 0xa2adabb9u,
    0xfd1fdbd7u, 0x52b89d64u, 0x7e166fc5u, 0xc894622eu, 0x86ea128au, 0x3170cc42u, 0x2383f803u, 0x9f39299du, 0xd5054390u, 0xc409bb6eu, 0x5945cba9u, 0xd29964e8u,
    0x9cf551c9u, 0xa5e694cau, 0xf9375b56u, 0x61c47e28u, 0x7af37558u, 0x3487f3dfu, 0x9d1824f0u, 0xb4664d90u, 0x9b32b6e1u, 0x1af81585u, 0xaf21d816u, 0x7e18d12cu,
    0x854605bdu, 0x31f525e2u, 0x699c037au, 0xf51acb49u, 0xb5c446bdu, 0x249b01b4u, 0x5f2d219eu, 0xbb453336u, 0x45918c31u, 0xd7f91faau, 0xbc1af0ecu, 0x97023efeu,
    0x136b7519u, 0x66f7127bu, 0xb865e670u, 0xd37d10d6u, 0x6d2d2316u, 0x9a547e5bu, 0x8f2940d5u, 0xa5238950u, 0xd53f0654u, 0x5a32081au, 0xbcf8c814u, 0xd41793au,
    0xf02291f1u, 0xfae94ae9u, 0x557bce7bu, 0xb01abc64u, 0x4fcd2832u, 0xccad1bcfu, 0xb99ecb3eu, 0xe3d20ee0u, 0x8e62ca3u, 0xeb24a307u, 0xfb68d86du, 0x7be8e047u,
    0xc6b1794eu, 0x50c3095au, 0x8060fb05u, 0xfd94b641u, 0xc9776153u, 0xde3558e1u, 0xa1f3152cu, 0xf55b3a9au, 0x2ae5758du, 0x21b3b4b1u, 0xdbb86684u, 0x6e7360beu,
    0x4844e277u, 0xe0e5c4fcu, 0xdb881c48u, 0xdb10a057u, 0x52927f19u, 0x539933c6u, 0x35c317feu, 0x57c9062au, 0xcb01faa7u, 0xdf819786u, 0xe5f9816au, 0x64ec1485u,
    0x31c227a8u, 0x8c64ebaeu, 0x7a304abu, 0x750d9f98u, 0xe87de56fu, 0xd29d2au, 0x296fa84bu, 0x9ee9676u, 0xf11ed86eu, 0xfc71beecu, 0x9a409c4eu, 0xe7c56d52u,
    0x55e4f85fu, 0xa1a059bdu, 0x8be5ecdau, 0xee4bda81u, 0x39ab55a3u, 0xa5b2a7efu, 0xf7eaa4fbu, 0xf9d920cu, 0x775b6703u, 0xeb2d7b71u, 0x7f2cdb83u, 0x36ed73e0u,
    0x4ca1cdc5u, 0xda86577eu, 0x11f4e21cu, 0xa5b25c64u, 0xe75f24fdu, 0xf1894a9du, 0xb024747fu, 0xf525c08bu, 0x800dacf5u, 0x7c6fc069u, 0xda2fef7fu, 0xc14b22acu,
    0x258eb20eu, 0x3c3a4711u, 0xf0183005u, 0x971f2b84u, 0xfa13c936u, 0xfc238a87u, 0x8415754eu, 0x1a96cf95u, 0xe3fe247bu, 0xadc52014u, 0x9dd5f5b4u, 0xabe126e4u,
    0x316ab083u, 0xa97067b8u, 0xd145c6efu, 0x1da2731eu, 0x6e8e6a90u, 0xe07d1e44u, 0x45a628f0u, 0x53db774bu, 0xae4c7731u, 0xdc96e539u, 0xc2dd86aau, 0xf5a9342fu,
    0x9ff2df70u, 0x4217d83bu, 0xe9a52e2du, 0x4a154d7au, 0x664e004bu, 0x3059610au, 0x139cd719u, 0xa4ce1063u, 0xe9b4ed4fu, 0x9e944661u, 0x61086e8eu, 0x66414f61u,
    0x5825ea0bu, 0xbbcfdbe8u, 0xc6837a8au, 0x26c0b9cdu, 0xcd43a894u, 0xf4501088u, 0x2bc4a7b0u, 0x2831c083u, 0xf8c18da4u, 0x536ac03cu, 0xa896bc87u, 0x3feae42au,
    0xc1017731u, 0x97730fc1u, 0x973b0738u, 0xe640f558u, 0x31bdee2fu, 0x488220cdu, 0x96f22916u, 0xf9d3b0u, 0xc158f34au, 0x1c8ae5u, 0x80750be6u, 0x5d326f82u,
    0xd1edb976u, 0x568fd7ccu, 0x90b18c4fu, 0x2f4d0675u, 0x51d98da8u, 0x5e5b250bu, 0xb3778697u, 0x903f075u, 0x7eb5ba6du, 0x44c55ebbu, 0x33d1765u, 0x56339e9du,
    0xe7e88d35u, 0x5a9ed14du, 0xf6ae62d1u, 0xe13d1753u, 0xfe37601au, 0x84b8d0d3u, 0xfe457146u, 0x1dc44ab1u, 0xdaf8bb51u, 0x7abfd7f4u, 0xf96999f7u, 0x9d4c2340u,
    0x5a19170au, 0x78f18282u, 0xa2d9f51u, 0x5ed29289u, 0xa3c9e6e6u, 0x66ce86f8u, 0xde3d85f6u, 0xff95ae05u, 0x742c6795u, 0xcbf9f2acu, 0x79e39005u, 0xb23fdbf8u,
    0x853b425u, 0x17c18fafu, 0xaff8fd05u, 0x4e989a02u, 0x6d567c41u, 0xd943fa70u, 0xe0df1e1cu, 0xb2d2828fu, 0x622e51d3u, 0x78f59db9u, 0x53f10b59u, 0x2c17be42u,
    0xee1affbfu, 0x187c8b08u, 0xd221de46u, 0xf45af924u, 0xd0b7e811u, 0x1b505e78u, 0x7009a4afu, 0xf40e4856u, 0xa8078bfbu, 0x66e0c9bau, 0x58e240d0u, 0x8d1aa055u,
    0x2f90c445u, 0x24232be2u, 0xf57f5b25u, 0xeeac0257u, 0x26a385e3u, 0x66fc66ccu, 0xf13e4cbdu, 0x3727302u, 0x77ca44au, 0x5e0334e1u, 0x1cc210f9u, 0xb0ca51c5u,
    0x522b8fbeu, 0xf07e4c88u, 0x7914cf91u, 0x6ec35a32u, 0xd9520090u, 0xa42e4e97u, 0xa058904u, 0x5e270d13u, 0x7adccf94u, 0x34a9026bu, 0xb2d64d31u, 0x4b28b838u,
    0xa94e29feu, 0x6577147au, 0xf8849092u, 0x47d6f704u, 0x327c0997u, 0x7a7a1a02u, 0x6bc09bf9u, 0x74eadd2fu, 0xad21a094u, 0x705b9b82u, 0x93bde309u, 0x98916239u,
    0x22bbcd37u, 0x952999b9u, 0xaaf57f83u, 0x8ab71618u, 0x58731e3eu, 0xce389ebbu, 0xa8ef00a0u, 0xb88d8838u, 0x6ed3b50au, 0xf7ca5b8cu, 0x531388c9u, 0x93b83252u,
    0xac0f19fau, 0x501ef6b6u, 0x7dcb91dfu, 0x6ca5bd0cu, 0x3159ef4cu, 0x39505a0fu, 0x3d916f6cu, 0x8fdbddd4u, 0x199cd893u, 0xd92a56aau, 0x6f8f6403u, 0xcf06af3bu,
    0xc828f15u, 0x205b3189u, 0x36effbe4u, 0xee5cc922u, 0xe4780ffu, 0xf08c641bu, 0x369583c6u, 0x1ba4451u, 0x43283e7au, 0xe206a45du, 0x7b69b33au, 0xba7217d1u,
    0xd2abd7a0u, 0x4d438de1u, 0xe1c4ed46u, 0xd2f30b8du, 0x34c91675u, 0x1db74dd4u, 0xfe8dece9u, 0x5a69fa20u, 0xc53c5d86u, 0x85277940u, 0x6d6b60dcu, 0xeabdd236u,
    0xa9122560u, 0xd3bca2b0u, 0x95da7669u, 0x338e0423u, 0x367da377u, 0x206e0c4cu, 0x9ada0a5u, 0xad322edbu, 0x2b6d3bcu, 0x24d032eu, 0x9760647fu, 0xfa3f2b2u,
    0xc2fce74fu, 0x906d7fcu, 0xe7ef1b76u, 0xeaaf0738u, 0x5618fb43u, 0xa54b691fu, 0x5b025ed3u, 0x58b8a16eu, 0x478fc18du, 0xfb24b595u, 0xfd2aefe0u, 0xe5b8cfa0u,
    0x9a7bcb4au, 0x64809ea3u, 0x4dd874c6u, 0x875065bu, 0x467ab412u, 0xd94f6b42u, 0x3c6bfd12u, 0xcee51821u, 0xcd6e3dau, 0x2f9bf229u, 0x22b90136u, 0x96554989u,
    0x6805f5f2u, 0x2e7f2a4au, 0x2a54a15au, 0x3d3e5176u, 0x7d547022u, 0xba8d6fdfu, 0xad908960u, 0xb24f4456u, 0xbf8bc49cu, 0x3889337u, 0x1492579fu, 0x5a08d553u,
    0xcc64c6c5u, 0xb85bcdbau, 0x42ad18d2u, 0x8206f11u, 0x9143b6a8u, 0xbdca0a8u, 0xfbab1aau, 0x4cda68fbu, 0x41588ba1u, 0x1bf00a54u, 0x15f44101u, 0xb9ed0710u,
    0xfedad9c1u, 0x56dd9540u, 0x8840639u, 0x57185b57u, 0x2af359d9u, 0x90e012e3u, 0x2a12bf07u, 0x7c3d9756u, 0x73f5001au, 0x9bf87336u, 0x9d33f2f4u, 0x7e267634u,
    0x2e613448u, 0xff67e00fu, 0xc9e9b79eu, 0x6d235e13u, 0xffc79abeu, 0x83c3eddcu, 0x3b5a2aefu, 0x48b915bau, 0xaa8d0c0du, 0x4596ac0u, 0xa6463164u, 0x3420574au,
    0x93d2c2beu, 0x18836b0fu, 0xcb66a04au, 0x6c677605u, 0xb9a3eec7u, 0x179723d6u, 0x4c190906u, 0xd32bac86u, 0x85314fd4u, 0x986f41deu, 0x9a0896c5u, 0x2925e03au,
    0x7f326d43u, 0x395dc440u, 0xabbc413u, 0xbb8f822u, 0x6746ca0au, 0xe3e0df70u, 0x9bfa22a8u, 0x1d2fffffu, 0xdb7f1131u, 0xeefd9861u, 0x931d116u, 0xee18fdbdu,
    0xbc96820du, 0x2c9a7ee9u, 0x1dcfc4f9u, 0xc829beeeu, 0x99aa6324u, 0xc104c1abu, 0x881a651eu, 0xeb949a60u, 0xe04077a3u, 0xd8c8d2b4u, 0xc53e11a3u, 0xb9b66444u,
    0x8aae6565u, 0x4ea6f69u, 0xca98bd64u, 0xce0969c6u, 0x9cf6b156u, 0xf00fc0c2u, 0x437d6abcu, 0x2da4646bu, 0x80ff0c5fu, 0xa1a07187u, 0x83fb93b2u, 0x4a2ea07u,
    0xa3051c81u, 0xbe83f0a7u, 0x98ed7c80u, 0xf611d74bu, 0xabba5b38u, 0x4116e5c3u, 0xd60cc916u, 0x46b6e6bu, 0xebd05143u, 0xcfd2cf23u, 0x18dbf69cu, 0xa33721d3u,
    0xfb1a27b8u, 0x63753515u, 0xc64b340cu, 0x24373c7au, 0x62c063f8u, 0x97279ac6u, 0x565fdf38u, 0xcccaba83u, 0xe73ed41eu, 0x9e301368u, 0x90f4c12bu, 0x79ee1fe6u,
    0x6a905693u, 0x35508facu, 0xeec67f90u, 0xd8d8c7d9u, 0xc4cf6423u, 0x20fb2894u, 0x8162792au, 0x328a9c28u, 0x50e668e3u, 0xbeb55da5u, 0x914628dcu, 0x6d2e4cb7u,
    0x53a130ffu, 0x58281bf0u, 0x8240840bu, 0x922b01dau, 0xd8fa95deu, 0x863744cfu, 0x411730a4u, 0x638a3be5u, 0x454923dcu, 0xfe4cbac2u, 0x640d3e72u, 0xc6fab685u,
    0x6cd1efcdu, 0x213512u, 0x96c42111u, 0x6db10aefu, 0x51d50ff3u, 0x70a502abu, 0x189c3419u, 0xfa1b7571u, 0x6259e23fu, 0x390e73d6u, 0x95030feau, 0x3a619519u,
    0xfc7c17cau, 0x51870e5bu, 0x950720feu, 0xed09b25eu, 0xd0d0f959u, 0xcad6d053u, 0x95d50affu, 0xda02222u, 0xd753d127u, 0x895e7ce2u, 0x690a3fd5u, 0xf61fc01eu,
    0xfa865bcau, 0x7c010c82u, 0x45102cb8u, 0x8ee2b497u, 0xd9d079b2u, 0x273301dbu, 0x572d0400u, 0xe968d2bbu, 0x5165945u, 0x875e9bb9u, 0xa5f60804u, 0xce7146c2u,
    0x423003e6u, 0x1df6f51eu, 0xd9a1a067u, 0xde1eadcu, 0x8c526117u, 0xb10384eeu, 0x4d72722du, 0x920213eu, 0xd9565283u, 0x621129ddu, 0x636f70eu, 0x73ec5daeu,
    0x554841adu, 0xeb9d6cf1u, 0xd2ee91bau, 0x51a5eae6u, 0x9a85630fu, 0x825d3790u, 0xebdd060fu, 0x4413dd72u, 0xda7389cu, 0x7f1b1859u, 0xd8ab7cc2u, 0x1adcb03du,
    0x4664706eu, 0x57510999u, 0xaa95bac3u, 0xc4200099u, 0x70470533u, 0x149039a7u, 0x59dd7867u, 0xe6e116e0u, 0xf593b919u, 0x8969d4f7u, 0x8e7b5c7bu, 0x1u};

 public:
  void restart(unsigned long long newSeed) {
    seed = (unsigned int)newSeed ^ (unsigned int)(newSeed >> 32);
    position = 0;
    states.clear();
  }
  unsigned int next() {
    unsigned int generator = (unsigned int)(position % row / threads), thread = position % threads, turn = (unsigned int)(position / row % turns);
    if (generator == states.size()) states.push_back(generator ? jump(states[generator - 1]) : start(seed));
    else if (turn == 0 && thread == 0) renew(states[generator]);
    ++position;
    unsigned int y = states[generator].at[wordOf(thread, turn)];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
  }
};

}  // namespace __lanewise
