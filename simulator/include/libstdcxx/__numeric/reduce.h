// std::reduce is with transform_reduce.
#include <__numeric/transform_reduce.h>
