// The few lines of musl, libc++abi and libunwind that are changed before they are compiled, where programs see glibc's or libstdc++'s
// behaviour (libstdcxx-edits.mjs has those of libc++). `from` stands in the file once.

/** glibc leaves errno alone where there is no number. */
const noNumber = (file, before, after) => ({ file, from: `${before}errno = EINVAL;${after}`, to: `${before}${after}` });

export const edits = [
  // Zig passes libc++'s configuration on the command line.
  {
    file: 'libcxx/include/__config',
    from: '/* zig patch: instead of including __config_site, zig adds -D flags when compiling */',
    to: '#include <__config_site>',
  },

  // Nothing is unwound for an exception that nobody catches; only the runtime knows. And std::terminate asks what was thrown last, since
  // WebAssembly does not say what a noexcept function has stopped.
  {
    file: 'libunwind/src/Unwind-wasm.c',
    from: 'struct _Unwind_LandingPadContext {',
    to:
      '__attribute__((import_module("linux"), import_name("handled"))) int __linux_handled(void);\n' +
      'void *__lanewise_raised;\n\nstruct _Unwind_LandingPadContext {',
  },
  {
    file: 'libunwind/src/Unwind-wasm.c',
    from: "  // Use Wasm EH's 'throw' instruction.",
    to: '  if (!__linux_handled()) return _URC_END_OF_STACK;\n  __lanewise_raised = exception_object;',
  },
  {
    file: 'libcxxabi/src/cxa_handlers.cpp',
    from: '        __cxa_exception* exception_header = globals->caughtExceptions;\n',
    to:
      '        extern void* raised __asm__("__lanewise_raised");\n' +
      '        if (globals->uncaughtExceptions > 0 && raised)\n            __cxa_begin_catch(raised);\n' +
      '        __cxa_exception* exception_header = globals->caughtExceptions;\n',
  },
  {
    file: 'libcxxabi/src/cxa_exception.cpp',
    from: 'void __cxa_free_exception(void *thrown_object) throw() {',
    to:
      'void __cxa_free_exception(void *thrown_object) throw() {\n' +
      '    extern void* raised __asm__("__lanewise_raised");\n' +
      '    if (raised == &cxa_exception_from_thrown_object(thrown_object)->unwindHeader)\n        raised = nullptr;',
  },
  // Clang asks for all bytes there are where an array has too many.
  {
    file: 'libcxxabi/src/stdlib_new_delete.cpp',
    from: 'operator new[], (size_t size)) _THROW_BAD_ALLOC { return',
    to: 'operator new[], (size_t size)) _THROW_BAD_ALLOC { if (size == (size_t)-1) throw std::bad_array_new_length(); return',
  },

  // printf: pointers without leading zeros, and a word for null; of a null string with a precision nothing or all; small doubles in
  // hexadecimal as they are stored.
  {
    file: 'musl/src/stdio/vfprintf.c',
    from: 'p = MAX(p, 2*sizeof(void*));',
    to: 'if (!arg.i) { a = "(nil)"; z = a + 5; p = 5; fl &= ~ZERO_PAD; break; }',
  },
  {
    file: 'musl/src/stdio/vfprintf.c',
    from: 'a = arg.p ? arg.p : "(null)";',
    to: 'a = arg.p ? arg.p : p >= 0 && p < 6 ? "" : "(null)";',
  },
  {
    file: 'musl/src/stdio/vfprintf.c',
    from: '\ty = frexpl(y, &e2) * 2;\n\tif (y) e2--;\n',
    to: "\tif ((t|32)=='a' && !(fl & 1U<<30) && y && y < 0x1p-1022L) { y *= 0x1p1022L; e2 = -1022; }\n\telse { y = frexpl(y, &e2) * 2; if (y) e2--; }\n",
  },
  {
    file: 'musl/src/stdio/vfprintf.c',
    from: 'l = fmt_fp(f, arg.f, w, p, fl, t);',
    to: 'l = fmt_fp(f, arg.f, w, p, ps==BIGLPRE ? fl | 1U<<30 : fl, t);',
  },

  // Large angles take a third of the time (simulator/libc/src/reduction.c).
  {
    file: 'musl/src/math/__rem_pio2.c',
    from: '\t/* set z = scalbn(|x|,-ilogb(x)+23) */\n',
    to: '\tint __lanewise_reduced(double, double *);\n\treturn __lanewise_reduced(x, y);\n',
  },

  // Numbers from text.
  noNumber('musl/src/internal/floatscan.c', '\tif (!gotdig) {\n\t\t', ''),
  noNumber('musl/src/internal/floatscan.c', '\tif (i) {\n\t\tshunget(f);\n\t\t', ''),
  noNumber('musl/src/internal/intscan.c', '\t\t\tshlim(f, 0);\n\t\t\t', '\n\t\t\treturn 0;\n\t\t}\n\t}\n\tif (base == 10)'),
  // A number that is rounded up to the next power of two is normal only if it was just below the smallest normal one.
  {
    file: 'musl/src/internal/floatscan.c',
    from: 'if (denormal && bits==LDBL_MANT_DIG+e2-emin)',
    to: 'if (denormal && bits==LDBL_MANT_DIG+e2-emin && (bits==FLT_MANT_DIG-1 || bits==DBL_MANT_DIG-1 || bits==LDBL_MANT_DIG-1))',
  },

  // There are the locales of a system on which none were installed, and "C" is what the environment asks for.
  { file: 'musl/src/locale/locale_map.c', from: '(val = "C.UTF-8");\n\t}\n', to: '(val = "C");\n\t}\n' },
  {
    file: 'musl/src/locale/locale_map.c',
    from: '\tfor (p=loc_head; p; p=p->next)\n\t\tif (!strcmp(val, p->name)) return p;\n',
    to: '\tif (!strcmp(val, "C.utf8")) return cat == LC_CTYPE ? (void *)&__c_dot_utf8 : 0;\n\treturn LOC_MAP_FAILED;\n',
  },

  // Universal time is called GMT.
  { file: 'musl/src/time/gmtime_r.c', from: 'tm->__tm_zone = __utc;', to: 'extern const char __gmt[];\n\ttm->__tm_zone = __gmt;' },
  { file: 'musl/src/time/timegm.c', from: 'tm->__tm_zone = __utc;', to: 'extern const char __gmt[];\n\ttm->__tm_zone = __gmt;' },
  { file: 'musl/src/time/__tz.c', from: 'const char __utc[] = "UTC";', to: 'const char __utc[] = "UTC";\nconst char __gmt[] = "GMT";' },
  { file: 'musl/src/time/__tz.c', from: 'if (p != __utc && p != __tzname[0]', to: 'if (p != __gmt && p != __utc && p != __tzname[0]' },
];
