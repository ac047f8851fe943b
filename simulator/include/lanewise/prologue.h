/* What the precompiled headers hold: ours, and the standard headers that CUDA programs use most. */

#include "../cuda_runtime.h"
#include "../cooperative_groups.h"
#undef _COOPERATIVE_GROUPS_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
