#pragma once
#include "transform_iterator.h"
