/* Included by headers that are C++ here and have a C part in a toolkit. */
#ifndef __cplusplus
#error "this CUDA header is C++ in the simulator: give the file a name that ends with .cpp or .cu"
#endif
