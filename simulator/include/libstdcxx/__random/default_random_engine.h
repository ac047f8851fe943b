/** libstdc++'s choice; libc++ has minstd_rand. */
#ifndef LANEWISE_STD_DEFAULT_RANDOM_ENGINE_H
#define LANEWISE_STD_DEFAULT_RANDOM_ENGINE_H

#include <__config>
#include <__random/linear_congruential_engine.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

typedef minstd_rand0 default_random_engine;

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
