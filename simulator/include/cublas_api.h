#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_
#include "cublas_v2.h"
#endif
