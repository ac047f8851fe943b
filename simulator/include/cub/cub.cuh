/*
 * CUB: what it does within warps and blocks (reductions, scans, sorts, exchanges, loads, stores, histograms, neighbours), and with
 * whole arrays. With the headers of a CUDA toolkit (-I TOOLKIT/include/cccl) programs use NVIDIA's whole CUB instead.
 */
#pragma once
#pragma GCC system_header
#include "detail/block-order.h"
#include "detail/device.h"
#include "util_allocator.cuh"
#include "version.cuh"
