#pragma once
#include "../detail/thread.h"
