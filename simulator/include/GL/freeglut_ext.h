/* What freeglut adds to GLUT. */
#ifndef __FREEGLUT_EXT_H__
#define __FREEGLUT_EXT_H__
#pragma GCC system_header
#include <GL/freeglut_std.h>
#define GLUT_ACTION_EXIT 0
#define GLUT_ACTION_GLUTMAINLOOP_RETURNS 1
#define GLUT_ACTION_CONTINUE_EXECUTION 2
#define GLUT_CREATE_NEW_CONTEXT 0
#define GLUT_USE_CURRENT_CONTEXT 1
#define GLUT_ACTION_ON_WINDOW_CLOSE 0x01F9
#define GLUT_WINDOW_BORDER_WIDTH 0x01FA
#define GLUT_WINDOW_HEADER_HEIGHT 0x01FB
#define GLUT_VERSION 0x01FC
#define GLUT_RENDERING_CONTEXT 0x01FD

#ifdef __cplusplus
extern "C" {
#endif
void glutMainLoopEvent(void); void glutLeaveMainLoop(void); void glutMouseWheelFunc(void (* callback)(int, int, int, int));
void glutCloseFunc(void (* callback)(void)); void glutWMCloseFunc(void (* callback)(void));
void glutMenuDestroyFunc(void (* callback)(void)); void glutSetOption(GLenum option_flag, int value); void * glutGetWindowData(void);
void glutSetWindowData(void *data); void * glutGetMenuData(void); void glutSetMenuData(void *data); int glutBitmapHeight(void *font);
GLfloat glutStrokeHeight(void *font); void glutBitmapString(void *font, const unsigned char *string);
void glutStrokeString(void *font, const unsigned char *string); void glutWireRhombicDodecahedron(void);
void glutSolidRhombicDodecahedron(void); void glutWireSierpinskiSponge(int num_levels, GLdouble offset[3], GLdouble scale);
void glutSolidSierpinskiSponge(int num_levels, GLdouble offset[3], GLdouble scale);
void glutWireCylinder(GLdouble radius, GLdouble height, GLint slices, GLint stacks);
void glutSolidCylinder(GLdouble radius, GLdouble height, GLint slices, GLint stacks); void * glutGetProcAddress(const char *procName);
#ifdef __cplusplus
}
#endif
#endif
