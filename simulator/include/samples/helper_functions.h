/* NVIDIA's samples' helpers of the host, all. */
#ifndef COMMON_HELPER_FUNCTIONS_H_
#define COMMON_HELPER_FUNCTIONS_H_
#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#endif
