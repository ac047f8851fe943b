/* Types of OpenGL beyond 1.1: a program may bring an older GL/glext.h. */
#pragma once
#pragma GCC system_header
#include <stddef.h>
#include <stdint.h>
typedef char GLchar;
typedef char GLcharARB;
typedef ptrdiff_t GLsizeiptr;
typedef ptrdiff_t GLintptr;
typedef ptrdiff_t GLsizeiptrARB;
typedef ptrdiff_t GLintptrARB;
typedef unsigned int GLhandleARB;
typedef unsigned short GLhalf;
typedef unsigned short GLhalfARB;
typedef int64_t GLint64;
typedef uint64_t GLuint64;
typedef struct __GLsync* GLsync;
