#pragma once
#include "../detail/errors.h"
