// Small changes to libc++'s headers and sources that make programs see what they see with libstdc++ 12: the texts of exceptions, the
// clocks' units, how a vector grows, and names of types without libc++'s version. `find` stands in a file `times` times. What needs more than a
// line is in simulator/include/libstdcxx, in front of these headers.

const position = (text, first, second) => `std::__throw_position("${text}", ${first}, ${second})`;

/** Throws std::out_of_range; each % of the text is a number. */
const throwPosition = `[[__noreturn__]] inline void __throw_position(const char* __text, decltype(sizeof 0) __first, decltype(sizeof 0) __second) {
  char __filled[160];
  char* __end = __filled;
  for (; *__text != 0; ++__text) {
    if (*__text != '%') {
      *__end++ = *__text;
      continue;
    }
    char __digits[20];
    int __count = 0;
    do
      __digits[__count++] = char('0' + __first % 10);
    while ((__first /= 10) != 0);
    while (__count != 0)
      *__end++ = __digits[--__count];
    __first = __second;
  }
  *__end = 0;
  std::__throw_out_of_range(__filled);
}

`;

const bitsetPosition = (name) => [
  `std::__throw_out_of_range("bitset ${name} argument out of range")`,
  position(`bitset::${name}: __position (which is %) >= _Nb (which is %)`, '__pos', '_Size'),
];
const quoted = (from, to) => [`"${from}"`, `"${to}"`];
const nullString = 'std::__throw_logic_error("basic_string: construction from null is not valid")';

/** The libraries are compiled without our <functional>, and ask for none of these hashes. */
const inProgramsOnly = (code) => `#ifdef _LIBCPP_BUILDING_LIBRARY
  return 0;
#else
  ${code}
#endif`;
/** std::hash of vector<bool>: of the bytes of its whole words, then of those of the last one. */
const vectorHash = inProgramsOnly(`const size_t __whole = __size_ / __bits_per_word;
  size_t __h = __whole == 0 ? __murmur::__seed : __murmur::__of(std::__to_address(__begin_), __whole * sizeof(__storage_type));
  if (const size_t __rest = __size_ % __bits_per_word) {
    const __storage_type __last = __begin_[__whole] & (~__storage_type(0) >> (__bits_per_word - __rest));
    __h = __murmur::__of(&__last, (__rest + 7) / 8, __h);
  }
  return __size_ == 0 ? 0 : __h;`);
const bitsetHash = (words) => inProgramsOnly(`return __murmur::__of(${words}, (_Size + 7) / 8);`);
const decimalOnly = `  if (__f >= 10 && std::toupper(__x) != 'E' && __x != '-' && __x != '+')
    return -1;
  if (std::toupper(__x) == 'E' && (__exp != 'E' || __a_end == __a))
    return -1;`;
const largest = `else if (__ld == numeric_limits<_Tp>::infinity() || __ld == -numeric_limits<_Tp>::infinity()) {
      __err = ios_base::failbit;
      return __ld > 0 ? numeric_limits<_Tp>::max() : -numeric_limits<_Tp>::max();
    }`;

/** By file: [what stands there, what stands there then, how often (1)]. */
const edits = {
  // Smart pointers that a caller destroys, as on Linux: a callee that did would need the destructor, which a kernel has not.
  'include/__configuration/abi.h': [
    ['#  define _LIBCPP_ABI_ENABLE_SHARED_PTR_TRIVIAL_ABI\n', ''],
    ['#  define _LIBCPP_ABI_ENABLE_UNIQUE_PTR_TRIVIAL_ABI\n', ''],
  ],
  'include/__config': [
    [/(define _LIBCPP_BEGIN_NAMESPACE_STD _LIBCPP_BEGIN_UNVERSIONED_NAMESPACE_STD) .*/, '$1'],
    [/(define _LIBCPP_END_NAMESPACE_STD) \}/, '$1'],
  ],
  'include/stdexcept': [[/(?=.*__throw_range_error\()/, throwPosition]],
  'include/__vector/vector.h': [
    [
      /(at\(size_type __n\)[^}]*?)this->__throw_out_of_range\(\)/g,
      `$1${position('vector::_M_range_check: __n (which is %) >= this->size() (which is %)', '__n', 'size()')}`,
      2,
    ],
    [/(__alloc_traits::max_size\(this->__alloc_\), numeric_limits<difference_type>::max\(\))/, '$1 / sizeof(value_type)'],
    [/std::max<size_type>\(2 \* __cap, __new_size\)/, 'size() + std::max<size_type>(size(), __new_size - size())'],
    [
      /(__vallocate\(size_type __n\) \{[^}]*?)this->__throw_length_error\(\)/,
      '$1std::__throw_length_error("cannot create std::vector larger than max_size()")',
    ],
    [/(::__recommend\([^}]*?)this->__throw_length_error\(\)/, '$1std::__throw_length_error("vector::_M_default_append")'],
    [/(::reserve\(size_type __n\) \{[^}]*?)this->__throw_length_error\(\)/, '$1std::__throw_length_error("vector::reserve")'],
  ],
  'include/__vector/vector_bool.h': [
    [/(?=#include <__functional\/unary_function\.h>)/, '#include <__functional/hash.h>\n'],
    [/size_t __h = 0;\n {2}\/\/ do middle whole words[\s\S]*?\n {2}return __h;/, vectorHash],
    [
      /(::at\(size_type __n\)[^}]*?)this->__throw_out_of_range\(\)/g,
      `$1${position('vector<bool>::_M_range_check: __n (which is %) >= this->size() (which is %)', '__n', 'size()')}`,
      2,
    ],
    [/(::__recommend\([^}]*?)this->__throw_length_error\(\)/, '$1std::__throw_length_error("vector<bool>::_M_fill_insert")'],
    [/(::reserve\(size_type __n\) \{[^}]*?)this->__throw_length_error\(\)/, '$1std::__throw_length_error("vector::reserve")'],
  ],
  // A number ends where its decimal form does, and one that is too large becomes the largest.
  'include/__locale_dir/num.h': [
    [/(char __x = __src\[__f\];)(?=\n {2}if \(__x == '-')/, `$1\n${decimalOnly}`],
    [/(_Tp __num_get_float\([\s\S]*?)else if \(__current_errno == ERANGE\)\n *__err = ios_base::failbit;/, `$1${largest}`],
    [/(__v {3}= true;\n *__err) = (?=ios_base::failbit)/, '$1 |= '],
  ],
  'include/deque': [
    [
      /std::__throw_out_of_range\("deque"\)/g,
      position('deque::_M_range_check: __n (which is %)>= this->size() (which is %)', '__i', 'size()'),
      2,
    ],
  ],
  'include/array': [
    [/std::__throw_out_of_range\("array::at"\)/g, position('array::at: __n (which is %) >= _Nm (which is %)', '__n', '_Size'), 2],
    [
      /at\(size_type\)( const)? \{\s*std::__throw_out_of_range\("array<T, 0>::at"\)/g,
      `at(size_type __n)$1 { ${position('array::at: __n (which is %) >= _Nm (which is %)', '__n', '0')}`,
      2,
    ],
  ],
  'include/bitset': [
    [/size_t __h = 0;\n {2}for [^;]*;[^;]*;[^;]*;\n {2}return __h;/, bitsetHash('__first_')],
    [/(::__hash_code\(\) const _NOEXCEPT \{\n) {2}return __first_;/, `$1${bitsetHash('&__first_')}`],
    ...['set', 'reset', 'flip', 'test'].map(bitsetPosition),
    [
      /std::__throw_out_of_range\("bitset string pos out of range"\)/g,
      position('bitset::bitset: __position (which is %) > __s.size() (which is %)', '__pos', '__str.size()'),
      2,
    ],
    quoted('bitset string ctor has invalid argument', 'bitset::_M_copy_from_ptr'),
    [/"__bitset<\w+, _Size>::(to_ul+ong) overflow error"/g, '"_Base_bitset::_M_do_$1"', 4],
  ],
  'include/map': [[/"map::at: {2}key not found"/g, '"map::at"', 2]],
  'include/string_view': [
    [
      '__throw_out_of_range("string_view::at")',
      position('basic_string_view::at: __pos (which is %) >= this->size() (which is %)', '__pos', 'size()'),
    ],
    [
      'std::__throw_out_of_range("string_view::copy")',
      position('basic_string_view::copy: __pos (which is %) > __size (which is %)', '__pos', 'size()'),
    ],
    [
      '__throw_out_of_range("string_view::substr")',
      position('basic_string_view::substr: __pos (which is %) > __size (which is %)', '__pos', 'size()'),
    ],
  ],
  'include/string': [
    [/_LIBCPP_ASSERT_NON_NULL\(__s != nullptr, "basic_string\(const char\*[^;]*;/g, `if (__s == nullptr) ${nullString};`, 2],
    [
      /_LIBCPP_ASSERT_NON_NULL\(__n == 0 \|\| __s != nullptr, "basic_string\(const char\*[^;]*;/g,
      `if (__n != 0 && __s == nullptr) ${nullString};`,
      2,
    ],
    [
      /(?<=if \((__\w+) > (__str\.size\(\)|__str_sz|__sz|size\(\))\)\s*)(?:this->)?__throw_out_of_range\(\)/g,
      '__throw_string_position(__func__, $1, $2)',
      16,
    ],
    [
      /( substr\(size_type __pos = 0, size_type __n = npos\)[^{;]*\{)/g,
      '$1 if (__pos > size()) __throw_string_position(__func__, __pos, size());',
    ],
    // libstdc++ inserts a string by replacing nothing.
    [/(::insert\(size_type __pos, const value_type\* __s, size_type __n\)[^}]*?)__func__/, '$1"replace"'],
    [
      /(?<=if \(__n >= size\(\)\)\s*)this->__throw_out_of_range\(\)/g,
      position('basic_string::at: __n (which is %) >= this->size() (which is %)', '__n', 'size()'),
      2,
    ],
    [
      'if (__pos1 > __sz || __n2 == npos)\n    this->__throw_out_of_range()',
      'if (__pos1 > __sz || __n2 == npos)\n    __throw_string_position(__func__, __pos1, __sz)',
    ],
    ['std::__throw_length_error("basic_string")', 'std::__throw_length_error("basic_string::_M_create")'],
    [
      /(__delta_cap > __ms - __old_cap\)\s*)(?:this->)?__throw_length_error\(\)/g,
      '$1std::__throw_length_error("basic_string::_M_replace_aux")',
      2,
    ],
    [
      /(?=\[\[__noreturn__\]\] _LIBCPP_HIDE_FROM_ABI static void __throw_length_error\(\) \{)/,
      `[[__noreturn__]] static void __throw_string_position(const char* __name, size_type __pos, size_type __size) {
    char __text[80] = "basic_string::";
    char* __end = __text + 14;
    for (; *__name != 0; ++__name)
      *__end++ = *__name;
    for (const char* __rest = ": __pos (which is %) > this->size() (which is %)"; *__rest != 0; ++__rest)
      *__end++ = *__rest;
    std::__throw_position(__text, __pos, __size);
  }

  `,
    ],
  ],
  'include/optional': [[/(hash<remove_const_t<_Tp>>\(\)\(\*__opt\) : )0/, '$1static_cast<size_t>(-3333)']],
  'include/variant': [
    [
      'const char* what() const _NOEXCEPT override;',
      'const char* what() const _NOEXCEPT override;\n  const char* __text_ = "bad variant access";',
    ],
    [
      /void __throw_bad_variant_access\(\) \{[^}]*?throw bad_variant_access\(\);/,
      'void __throw_bad_variant_access(const char* __text) {\n#if 1\n  bad_variant_access __error;\n  __error.__text_ = __text;\n  throw __error;',
    ],
    [
      'std::__throw_bad_variant_access();\n  }\n  return',
      'std::__throw_bad_variant_access(__v.valueless_by_exception() ? "std::get: variant is valueless" : "std::get: wrong index for variant");\n  }\n  return',
    ],
    ['std::__throw_bad_variant_access();', 'std::__throw_bad_variant_access("std::visit: variant is valueless");'],
  ],
  'include/__chrono/duration.h': [[/typedef duration<\s*long long/g, 'typedef duration<long', 4]],
  'include/__chrono/system_clock.h': [['typedef microseconds duration;', 'typedef nanoseconds duration;']],
  'include/__chrono/high_resolution_clock.h': [
    ['typedef steady_clock high_resolution_clock;', 'typedef system_clock high_resolution_clock;'],
  ],
  'include/future': [
    [/(future<_Rp&?>::get\(\) \{)/g, '$1\n  if (__state_ == nullptr) std::__throw_future_error(future_errc::no_state);', 2],
  ],
  'include/__mutex/unique_lock.h': [[/"unique_lock::[^"]*"/g, '""', 9]],
  'include/__thread/thread.h': [['"thread constructor failed"', '""', 2]],
  'src/chrono.cpp': [
    [/(system_clock::time_point\(seconds\(t[sp]\.tv_sec\) \+ )microseconds\((t[sp]\.tv_nsec) \/ 1000\)/g, '$1nanoseconds($2)', 2],
  ],
  'src/thread.cpp': [quoted('thread::join failed', ''), quoted('thread::detach failed', '')],
  'src/string.cpp': [
    ['(func + ": out of range").c_str()', 'func.c_str()'],
    ['(func + ": no conversion").c_str()', 'func.c_str()'],
  ],
  'src/optional.cpp': [quoted('bad_optional_access', 'bad optional access')],
  'src/any.cpp': [[/"bad any cast"/g, '"bad any_cast"', 2]],
  'src/variant.cpp': [['return "bad_variant_access"', 'return __text_']],
  'src/functional.cpp': [quoted('std::bad_function_call', 'bad_function_call')],
  'src/ios.cpp': [quoted('ios_base::clear', 'basic_ios::clear'), quoted('unspecified iostream_category error', 'iostream error')],
  'src/future.cpp': [
    [/(future<void>::get\(\) \{)/, '$1\n  if (__state_ == nullptr) std::__throw_future_error(future_errc::no_state);'],
    ['logic_error(__ec.message())', 'logic_error("std::future_error: " + __ec.message())'],
    [/"The associated promise[^)]*/, '"Broken promise"'],
    [/"The future has[^)]*/, '"Future already retrieved"'],
    [/"The state of the promise[^)]*/, '"Promise already satisfied"'],
    [/"Operation not permitted on[^)]*/, '"No associated state"'],
    [/"unspecified future_errc[^)]*/, '"Unknown error"'],
  ],
  'src/regex.cpp': [
    [/"The expression contained an invalid collating[^;]*/, '"Invalid collate element."'],
    [/"The expression contained an invalid character class[^;]*/, '"Invalid character class."'],
    [/"The expression contained an invalid escaped[^;]*/, '"Unexpected escape character."'],
    [/"The expression contained an invalid back[^;]*/, '"Back-reference index exceeds current sub-expression count."'],
    [/"The expression contained mismatched \[[^;]*/, `"Unexpected character within '[...]' in regular expression"`],
    [/"The expression contained mismatched \([^;]*/, `"Mismatched '(' and ')' in regular expression"`],
    [/"The expression contained mismatched \{[^;]*/, `"Mismatched '{' and '}' in regular expression"`],
    [/"The expression contained an invalid range in[^;]*/, `"Invalid range in '{}' in regular expression"`],
    [/"The expression contained an invalid character range[^;]*/, '"Invalid range in bracket expression."'],
    [/"One of[^;]*/, '"Unexpected token in regular expression"'],
  ],
};

const abiEdits = { 'src/stdlib_exception.cpp': [['"bad_array_new_length"', '"std::bad_array_new_length"']] };

const edited = new Map([
  ...Object.entries(edits).map(([file, changes]) => [`libcxx/${file}`, changes]),
  ...Object.entries(abiEdits).map(([file, changes]) => [`libcxxabi/${file}`, changes]),
]);

/** The text of a file of libc++ or libc++abi as programs are to see it; `path` begins with libcxx/ or libcxxabi/. */
export function asOnLinux(path, text) {
  return (edited.get(path) ?? []).reduce((before, [find, to, times = 1]) => {
    const parts = before.split(typeof find === 'string' ? find : new RegExp(find.source, 'g'));
    const found = typeof find === 'string' ? parts.length - 1 : [...before.matchAll(new RegExp(find.source, 'g'))].length;
    if (found < times) throw new Error(`${path} is not as expected: ${find} stands there ${found} times`);
    return typeof find === 'string' && times > 1
      ? before.replaceAll(find, () => to)
      : before.replace(find, typeof find === 'string' ? () => to : to);
  }, text);
}

export const editedFiles = [...edited.keys()];
