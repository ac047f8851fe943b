#pragma once
#include "detail/core.h"
