#pragma once
#include "detail/allocators.h"
