/* Of GLX what programs call who look functions up by their names. */
#ifndef GLX_H
#define GLX_H
#pragma GCC system_header
#include <string.h>
#include <GL/gl.h>
#include <lanewise/gl-types.h>
#define GLX_EXTENSION_NAME "GLX"
#define GLX_VERSION_1_4 1
typedef struct __GLXcontextRec* GLXContext;
typedef unsigned long GLXDrawable;
typedef void (*__GLXextFuncPtr)(void);

#ifdef __cplusplus
/* A program may have variables of these names. */
namespace __lanewise_gl {
extern "C" {
#define F(result, name, pointer, ...) result name(__VA_ARGS__);
#include <lanewise/gl-functions.h>
#undef F
}
struct function { const char* name; __GLXextFuncPtr address; };
inline const function functions[] = {
#define F(result, name, pointer, ...) {#name, (__GLXextFuncPtr)name},
#include <lanewise/gl-functions.h>
#undef F
};
}
inline __GLXextFuncPtr glXGetProcAddressARB(const GLubyte* wanted) {
  for (const __lanewise_gl::function& each : __lanewise_gl::functions)
    if (strcmp(each.name, (const char*)wanted) == 0) return each.address;
  return nullptr;
}
inline __GLXextFuncPtr glXGetProcAddress(const GLubyte* wanted) { return glXGetProcAddressARB(wanted); }
extern "C" {
#endif
GLXContext glXGetCurrentContext(void);
GLXDrawable glXGetCurrentDrawable(void);
#ifdef __cplusplus
}
#endif
#endif
