/* glibc's form of the message: C++ says the whole signature. It may be included again with another NDEBUG. */
#include <features.h>

#undef assert

#ifdef NDEBUG
#define assert(condition) ((void)0)
#elif defined(__cplusplus)
#define assert(condition) (static_cast<bool>(condition) ? void(0) : __assert_fail(#condition, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

#if __STDC_VERSION__ >= 201112L && __STDC_VERSION__ < 202311L && !defined(__cplusplus)
#undef static_assert
#define static_assert _Static_assert
#endif

#ifdef __cplusplus
extern "C"
#endif
_Noreturn void __assert_fail(const char *, const char *, int, const char *);
