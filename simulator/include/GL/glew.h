/* GLEW: all that GL/glext.h has is there from the start. */
#ifndef __glew_h__
#define __glew_h__
#pragma GCC system_header
#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#endif
#include <GL/gl.h>
#include <GL/glu.h>
#define GLEW_OK 0
#define GLEW_NO_ERROR 0
#define GLEW_ERROR_NO_GL_VERSION 1
#define GLEW_VERSION 1
#define GLEW_VERSION_MAJOR 2
#define GLEW_VERSION_MINOR 3
#define GLEW_VERSION_MICRO 4
#define GLEW_VERSION_1_1 1
#define GLEW_VERSION_1_2 1
#define GLEW_VERSION_1_3 1
#define GLEW_VERSION_1_4 1
#define GLEW_VERSION_1_5 1
#define GLEW_VERSION_2_0 1
#define GLEW_VERSION_2_1 1
#define GLEW_VERSION_3_0 1
#define GLEW_VERSION_3_1 1
#define GLEW_VERSION_3_2 1
#define GLEW_VERSION_3_3 1
#define GLEW_ARB_vertex_buffer_object 1
#define GLEW_ARB_pixel_buffer_object 1
#define GLEW_ARB_vertex_program 1
#define GLEW_ARB_fragment_program 1
#define GLEW_ARB_shader_objects 1
#define GLEW_ARB_vertex_shader 1
#define GLEW_ARB_fragment_shader 1
#define GLEW_ARB_texture_float 1
#define GLEW_EXT_framebuffer_object 1
#define GLEW_EXT_pixel_buffer_object 1
#ifdef __cplusplus
inline GLboolean glewExperimental = 0;
extern "C" {
#endif
GLenum glewInit(void);
GLboolean glewIsSupported(const char* name);
GLboolean glewIsExtensionSupported(const char* name);
GLboolean glewGetExtension(const char* name);
const GLubyte* glewGetErrorString(GLenum error);
const GLubyte* glewGetString(GLenum name);
#ifdef __cplusplus
}
#endif
#endif
