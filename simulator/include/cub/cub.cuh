/*
 * CUB: reductions, scans, loads, stores and differences of blocks and warps, and what it does with whole arrays. With the
 * headers of a CUDA toolkit (-I TOOLKIT/include/cccl) programs use NVIDIA's whole CUB instead.
 */
#pragma once
#pragma GCC system_header
#include "detail/block.h"
#include "detail/device.h"
#include "util_allocator.cuh"
