/* What a WebAssembly exception carries: a pointer to the C++ exception, or to what longjmp was called with. Clang refers to both tags by name. */
__asm__(
    ".globl __cpp_exception\n"
    ".tagtype __cpp_exception i64\n"
    "__cpp_exception:\n"
    ".globl __c_longjmp\n"
    ".tagtype __c_longjmp i64\n"
    "__c_longjmp:\n");
