#pragma once
#include "../detail/exchange.h"
