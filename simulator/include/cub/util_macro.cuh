#pragma once
#include "util_debug.cuh"
