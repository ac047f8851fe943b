/*
 * What Clang's lowering of setjmp and longjmp calls (llvm/lib/Target/WebAssembly/WebAssemblyLowerEmscriptenEHSjLj.cpp): setjmp notes which
 * call of which function it is in, longjmp throws, and each function that holds a setjmp asks whether it is meant.
 */
#include <stdint.h>

struct place {
  /* Differs for each call of a function. */
  void *call;
  /* Number of the setjmp in its function, from 1; 0: the function has not come there. */
  uint32_t number;
  /* What longjmp throws: Clang reads it. */
  struct {
    void *place;
    int value;
  } thrown;
};

_Static_assert(sizeof(struct place) <= 64, "it has the room of __jmp_buf");

enum { TAG_LONGJMP = 1 };

void __wasm_setjmp(void *at, uint32_t number, void *call) {
  struct place *place = at;
  place->call = call;
  place->number = number;
}

uint32_t __wasm_setjmp_test(void *at, void *call) {
  struct place *place = at;
  return place->call == call ? place->number : 0;
}

void __wasm_longjmp(void *at, int value) {
  struct place *place = at;
  place->thrown.place = at;
  place->thrown.value = value ? value : 1;
  __builtin_wasm_throw(TAG_LONGJMP, &place->thrown);
}
