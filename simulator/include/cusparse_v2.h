#ifndef CUSPARSE_V2_H_
#define CUSPARSE_V2_H_
#include "cusparse.h"
#endif
