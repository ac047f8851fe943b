#pragma once
#include "iterator/iterator_traits.h"
