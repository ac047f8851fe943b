#pragma once
#include "detail/types.h"
