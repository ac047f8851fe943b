/* What Clang's lowering of setjmp keeps: the frame's address, the place's number, and room for a signal mask (see src/setjmp.c). */
typedef unsigned long __jmp_buf[8];
