/* Strings are compiled with the program, as they are since C++20, so that they are watched; nothing else is made of templates twice. */
#pragma once
#pragma GCC system_header
#include_next <bits/c++config.h>
#if _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
