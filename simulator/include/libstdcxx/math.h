// As with libstdc++, <math.h> is <cmath> in C++ and brings the C library's <stdlib.h> along.
#pragma once
#include_next <math.h>
#ifdef __cplusplus
#include <stdlib.h>
#endif
