#pragma once
#include "../detail/block.h"
