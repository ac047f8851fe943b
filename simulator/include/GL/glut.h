#ifndef __GLUT_H__
#define __GLUT_H__
#include <GL/freeglut_std.h>
#endif
