#pragma once
#include "detail/algorithms.h"
