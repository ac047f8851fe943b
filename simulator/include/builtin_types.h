/* The types of the runtime API. NVIDIA's has no guard either. */
#include "device_types.h"
#include "driver_types.h"
#include "vector_types.h"
