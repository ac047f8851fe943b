#ifndef __FREEGLUT_H__
#define __FREEGLUT_H__
#include <GL/freeglut_std.h>
#include <GL/freeglut_ext.h>
#endif
