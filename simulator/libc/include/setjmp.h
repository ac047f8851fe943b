/* setjmp by WebAssembly's exceptions: Clang rewrites functions that call it by this name. Signal masks play no part. */
#ifndef _SETJMP_H
#define _SETJMP_H

#include <features.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long __jmp_buf[8];

typedef struct __jmp_buf_tag {
  __jmp_buf __jb;
  unsigned long __fl;
  unsigned long __ss[16];
} jmp_buf[1];

typedef jmp_buf sigjmp_buf;

int setjmp(jmp_buf) __attribute__((__returns_twice__));
_Noreturn void longjmp(jmp_buf, int);

#define setjmp setjmp
#define _setjmp(buffer) setjmp(buffer)
#define _longjmp(buffer, value) longjmp(buffer, value)
#define sigsetjmp(buffer, mask) ((void)(mask), setjmp(buffer))
#define siglongjmp(buffer, value) longjmp(buffer, value)

#ifdef __cplusplus
}
#endif

#endif
