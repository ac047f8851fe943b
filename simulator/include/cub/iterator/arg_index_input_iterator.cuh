#pragma once
#include "../detail/iterators.h"
