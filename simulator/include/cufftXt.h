/* Of cuFFT's extensions (several devices, callbacks, half precision) the types alone: a function of theirs does not compile. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_
#pragma GCC system_header
#include "cufft.h"
#endif
