#pragma once
#include "permutation_iterator.h"
