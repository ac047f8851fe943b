#pragma once
#include "counting_iterator.h"
