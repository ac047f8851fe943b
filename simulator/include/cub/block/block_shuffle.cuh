#pragma once
#include "../detail/block-order.h"
