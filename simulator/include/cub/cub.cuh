/*
 * A small CUB: reductions, scans, loads and stores of blocks and warps, and for arrays reductions, scans, sorting and selection. With the
 * headers of a CUDA toolkit (-I TOOLKIT/include/cccl) programs use NVIDIA's whole CUB instead.
 */
#pragma once
#pragma GCC system_header
#include "detail/block.h"
#include "detail/device.h"
