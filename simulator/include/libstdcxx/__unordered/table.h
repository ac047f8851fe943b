/**
 * The hash table of the unordered containers. All elements are in one list, those of a bucket side by side; a bucket points to the link
 * before its first element. Programs see that list's order, so it is kept as libstdc++ 12 keeps it: a new element comes first in its
 * bucket, the first one of a bucket comes first of all, equal ones stay together, and a rehash goes through the list by the same rules.
 */
#ifndef LANEWISE_STD_UNORDERED_TABLE_H
#define LANEWISE_STD_UNORDERED_TABLE_H

#include <__algorithm/is_permutation.h>
#include <__config>
#include <__functional/hash.h>
#include <__functional/is_transparent.h>
#include <__functional/operations.h>
#include <__fwd/string.h>
#include <__fwd/string_view.h>
#include <__iterator/distance.h>
#include <__memory/allocator.h>
#include <__memory/swap_allocator.h>
#include <__type_traits/integral_constant.h>
#include <__type_traits/invoke.h>
#include <__type_traits/is_allocator.h>
#include <__type_traits/is_nothrow_assignable.h>
#include <__type_traits/is_nothrow_constructible.h>
#include <__type_traits/is_same.h>
#include <__type_traits/is_swappable.h>
#include <__unordered/bucket_counts.h>
#include <__unordered/nodes.h>
#include <cstring>
#include <initializer_list>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

/** Hashes that libstdc++ takes for slow: it keeps them in the nodes, and looks through up to 20 elements without them. */
template <class _Hash>
struct __is_slow_hash : false_type {};
template <>
struct __is_slow_hash<hash<long double> > : true_type {};
template <class _Char>
struct __is_slow_hash<hash<basic_string<_Char> > > : true_type {};
template <class _Char>
struct __is_slow_hash<hash<basic_string_view<_Char> > > : true_type {};

struct __key_of_set {
  template <class _Value>
  static const _Value& __of(const _Value& __value) {
    return __value;
  }
};
struct __key_of_map {
  template <class _Value>
  static auto __of(const _Value& __value) -> decltype((__value.first)) {
    return __value.first;
  }
};

#if _LIBCPP_STD_VER >= 20
template <class _Hash, class _Equal, class _Key>
using __if_transparent = __enable_if_t<__is_transparent_v<_Hash, _Key> && __is_transparent_v<_Equal, _Key> >;
#endif

template <class _Key, class _Value, class _KeyOf, class _Hash, class _Equal, class _Allocator, bool _Unique>
class __unordered_table {
protected:
  static const bool __is_set = is_same<_KeyOf, __key_of_set>::value;
  static const size_t __few = __is_slow_hash<_Hash>::value ? 20 : 0;
  typedef __unordered_table _Table;
  typedef __unordered_link _Link;
  typedef __unordered_node<_Value, __is_slow_hash<_Hash>::value || !__is_nothrow_invocable_v<const _Hash&, const _Key&> > _Node;
  typedef __node_maker<_Node, _Allocator> _Maker;
  typedef typename _Maker::_Node_allocator _Node_allocator;
  typedef allocator_traits<_Node_allocator> _Node_traits;
  typedef typename allocator_traits<_Allocator>::template rebind_alloc<_Link*> _Bucket_allocator;
  typedef allocator_traits<_Bucket_allocator> _Bucket_traits;
  typedef __conditional_t<__is_set, const _Value, _Value> _Shown;

  template <class, class, class, class, class, class, bool>
  friend class __unordered_table;
  template <class, class, class, bool>
  friend struct __unordered_local_iterator;

public:
  typedef _Key key_type;
  typedef _Value value_type;
  typedef _Hash hasher;
  typedef _Equal key_equal;
  typedef _Allocator allocator_type;
  typedef typename allocator_traits<_Allocator>::pointer pointer;
  typedef typename allocator_traits<_Allocator>::const_pointer const_pointer;
  typedef value_type& reference;
  typedef const value_type& const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  typedef __unordered_iterator<_Node, _Shown, false> iterator;
  typedef __unordered_iterator<_Node, const _Value, true> const_iterator;
  typedef __unordered_local_iterator<_Table, _Node, _Shown, false> local_iterator;
  typedef __unordered_local_iterator<_Table, _Node, const _Value, true> const_local_iterator;

protected:
  typedef __conditional_t<_Unique, pair<iterator, bool>, iterator> _Inserted;
  typedef __conditional_t<__is_set, __unordered_set_handle<_Node, _Allocator>, __unordered_map_handle<_Node, _Allocator> > _Handle;
  typedef __conditional_t<_Unique, __node_insertion<iterator, _Handle>, iterator> _Handle_inserted;

public:
#if _LIBCPP_STD_VER >= 17
  typedef _Handle node_type;
#endif

  // Constructors.
  __unordered_table() = default;
  explicit __unordered_table(size_type __buckets, const _Hash& __hash = _Hash(), const _Equal& __equal = _Equal(),
                             const _Allocator& __allocator = _Allocator())
      : __hash_(__hash), __equal_(__equal), __allocator_(__allocator) {
    __start_with(__buckets);
  }
  __unordered_table(size_type __buckets, const _Allocator& __allocator)
      : __unordered_table(__buckets, _Hash(), _Equal(), __allocator) {}
  __unordered_table(size_type __buckets, const _Hash& __hash, const _Allocator& __allocator)
      : __unordered_table(__buckets, __hash, _Equal(), __allocator) {}
  explicit __unordered_table(const _Allocator& __allocator) : __unordered_table(size_type(0), _Hash(), _Equal(), __allocator) {}

  template <class _Iterator, class = typename iterator_traits<_Iterator>::iterator_category>
  __unordered_table(_Iterator __first, _Iterator __last, size_type __buckets = 0, const _Hash& __hash = _Hash(),
                    const _Equal& __equal = _Equal(), const _Allocator& __allocator = _Allocator())
      : __unordered_table(size_type(0), __hash, __equal, __allocator) {
    if (!_Unique) {
      const size_t __needed = __policy_.__buckets_for(__elements_in(__first, __last));
      if (__needed > __buckets)
        __buckets = __needed;
    }
    __start_with(__buckets);
    for (; __first != __last; ++__first)
      insert(*__first);
  }
  template <class _Iterator, class = typename iterator_traits<_Iterator>::iterator_category>
  __unordered_table(_Iterator __first, _Iterator __last, size_type __buckets, const _Allocator& __allocator)
      : __unordered_table(__first, __last, __buckets, _Hash(), _Equal(), __allocator) {}
  template <class _Iterator, class = typename iterator_traits<_Iterator>::iterator_category>
  __unordered_table(_Iterator __first, _Iterator __last, size_type __buckets, const _Hash& __hash, const _Allocator& __allocator)
      : __unordered_table(__first, __last, __buckets, __hash, _Equal(), __allocator) {}
  template <class _Iterator, class = typename iterator_traits<_Iterator>::iterator_category>
  __unordered_table(_Iterator __first, _Iterator __last, const _Allocator& __allocator)
      : __unordered_table(__first, __last, 0, _Hash(), _Equal(), __allocator) {}

  __unordered_table(initializer_list<value_type> __list, size_type __buckets = 0, const _Hash& __hash = _Hash(),
                    const _Equal& __equal = _Equal(), const _Allocator& __allocator = _Allocator())
      : __unordered_table(__list.begin(), __list.end(), __buckets, __hash, __equal, __allocator) {}
  __unordered_table(initializer_list<value_type> __list, size_type __buckets, const _Allocator& __allocator)
      : __unordered_table(__list, __buckets, _Hash(), _Equal(), __allocator) {}
  __unordered_table(initializer_list<value_type> __list, size_type __buckets, const _Hash& __hash, const _Allocator& __allocator)
      : __unordered_table(__list, __buckets, __hash, _Equal(), __allocator) {}
  __unordered_table(initializer_list<value_type> __list, const _Allocator& __allocator)
      : __unordered_table(__list, 0, _Hash(), _Equal(), __allocator) {}

  __unordered_table(const __unordered_table& __x)
      : __unordered_table(__x, _Allocator(_Node_traits::select_on_container_copy_construction(__x.__allocator_))) {}
  __unordered_table(const __unordered_table& __x, const _Allocator& __allocator)
      : __unordered_table(size_type(0), __x.__hash_, __x.__equal_, __allocator) {
    __copy_elements(__x);
  }
  __unordered_table(__unordered_table&& __x)
      _NOEXCEPT_(is_nothrow_copy_constructible<_Hash>::value&& is_nothrow_copy_constructible<_Equal>::value)
      : __hash_(__x.__hash_), __equal_(__x.__equal_), __allocator_(std::move(__x.__allocator_)) {
    __take_elements(__x);
  }
  __unordered_table(__unordered_table&& __x, const _Allocator& __allocator)
      : __unordered_table(size_type(0), __x.__hash_, __x.__equal_, __allocator) {
    __take_or_move_elements(__x);
  }
  ~__unordered_table() { __free_all(); }

  __unordered_table& operator=(const __unordered_table& __x) {
    if (this == std::addressof(__x))
      return *this;
    __free_all();
    __assign_allocator(__x.__allocator_, typename _Node_traits::propagate_on_container_copy_assignment());
    __hash_ = __x.__hash_;
    __equal_ = __x.__equal_;
    __copy_elements(__x);
    return *this;
  }
  __unordered_table& operator=(__unordered_table&& __x)
      _NOEXCEPT_(_Node_traits::is_always_equal::value&& is_nothrow_move_assignable<_Hash>::value&&
                     is_nothrow_move_assignable<_Equal>::value) {
    if (this == std::addressof(__x))
      return *this;
    __free_all();
    __assign_allocator(std::move(__x.__allocator_), typename _Node_traits::propagate_on_container_move_assignment());
    __hash_ = std::move(__x.__hash_);
    __equal_ = std::move(__x.__equal_);
    __take_or_move_elements(__x);
    return *this;
  }
  __unordered_table& operator=(initializer_list<value_type> __list) {
    clear();
    const size_t __needed = __policy_.__buckets_for(__list.size());
    if (__count_ < __needed)
      rehash(__needed);
    insert(__list.begin(), __list.end());
    return *this;
  }

  allocator_type get_allocator() const _NOEXCEPT { return allocator_type(__allocator_); }
  hasher hash_function() const { return __hash_; }
  key_equal key_eq() const { return __equal_; }

  // Size and iterators.
  bool empty() const _NOEXCEPT { return __size_ == 0; }
  size_type size() const _NOEXCEPT { return __size_; }
  size_type max_size() const _NOEXCEPT { return _Node_traits::max_size(__allocator_); }
  iterator begin() _NOEXCEPT { return iterator(__first()); }
  const_iterator begin() const _NOEXCEPT { return const_iterator(__first()); }
  const_iterator cbegin() const _NOEXCEPT { return const_iterator(__first()); }
  iterator end() _NOEXCEPT { return iterator(); }
  const_iterator end() const _NOEXCEPT { return const_iterator(); }
  const_iterator cend() const _NOEXCEPT { return const_iterator(); }

  // Buckets.
  size_type bucket_count() const _NOEXCEPT { return __count_; }
  size_type max_bucket_count() const _NOEXCEPT { return max_size(); }
  size_type bucket_size(size_type __bucket) const { return size_type(std::distance(begin(__bucket), end(__bucket))); }
  size_type bucket(const key_type& __key) const { return __hash_(__key) % __count_; }
  local_iterator begin(size_type __bucket) { return local_iterator(__first_of(__bucket), this, __bucket); }
  const_local_iterator begin(size_type __bucket) const { return const_local_iterator(__first_of(__bucket), this, __bucket); }
  const_local_iterator cbegin(size_type __bucket) const { return begin(__bucket); }
  local_iterator end(size_type __bucket) { return local_iterator(nullptr, this, __bucket); }
  const_local_iterator end(size_type __bucket) const { return const_local_iterator(nullptr, this, __bucket); }
  const_local_iterator cend(size_type __bucket) const { return end(__bucket); }
  float load_factor() const _NOEXCEPT { return float(__size_) / float(__count_); }
  float max_load_factor() const _NOEXCEPT { return __policy_.__max_load(); }
  void max_load_factor(float __load) { __policy_ = __bucket_policy(__load); }

  void rehash(size_type __buckets) {
    __bucket_policy __policy = __policy_;
    const size_t __needed = __policy.__buckets_for(__size_ + 1);
    const size_t __count = __policy.__take(__buckets < __needed ? __needed : __buckets);
    if (__count == __count_)
      return;
    __rebuild(__count);
    __policy_ = __policy;
  }
  void reserve(size_type __elements) { rehash(__policy_.__buckets_for(__elements)); }

  // Look-up.
  iterator find(const key_type& __key) { return iterator(__find(__key)); }
  const_iterator find(const key_type& __key) const { return const_iterator(__find(__key)); }
  size_type count(const key_type& __key) const { return __count_from(__find(__key)); }
  pair<iterator, iterator> equal_range(const key_type& __key) { return __range_from<iterator>(__find(__key)); }
  pair<const_iterator, const_iterator> equal_range(const key_type& __key) const {
    return __range_from<const_iterator>(__find(__key));
  }
#if _LIBCPP_STD_VER >= 20
  bool contains(const key_type& __key) const { return __find(__key) != nullptr; }

  template <class _Other, class = __if_transparent<_Hash, _Equal, _Other> >
  iterator find(const _Other& __key) {
    return iterator(__find_hashed(__key, __hash_(__key)));
  }
  template <class _Other, class = __if_transparent<_Hash, _Equal, _Other> >
  const_iterator find(const _Other& __key) const {
    return const_iterator(__find_hashed(__key, __hash_(__key)));
  }
  template <class _Other, class = __if_transparent<_Hash, _Equal, _Other> >
  size_type count(const _Other& __key) const {
    const auto __range = equal_range(__key);
    return size_type(std::distance(__range.first, __range.second));
  }
  template <class _Other, class = __if_transparent<_Hash, _Equal, _Other> >
  bool contains(const _Other& __key) const {
    return __find_hashed(__key, __hash_(__key)) != nullptr;
  }
  template <class _Other, class = __if_transparent<_Hash, _Equal, _Other> >
  pair<iterator, iterator> equal_range(const _Other& __key) {
    return __range_of_other<iterator>(__key);
  }
  template <class _Other, class = __if_transparent<_Hash, _Equal, _Other> >
  pair<const_iterator, const_iterator> equal_range(const _Other& __key) const {
    return __range_of_other<const_iterator>(__key);
  }
#endif

  // Insertion.
  template <class... _Arguments>
  _Inserted emplace(_Arguments&&... __arguments) {
    return __insert_built(nullptr, std::forward<_Arguments>(__arguments)...);
  }
  template <class... _Arguments>
  iterator emplace_hint(const_iterator __hint, _Arguments&&... __arguments) {
    return __only_place(__insert_built(__hint.__node_, std::forward<_Arguments>(__arguments)...));
  }
  _Inserted insert(const value_type& __value) { return __insert_value(nullptr, __value); }
  _Inserted insert(value_type&& __value) { return __insert_value(nullptr, std::move(__value)); }
  iterator insert(const_iterator __hint, const value_type& __value) {
    return __only_place(__insert_value(__hint.__node_, __value));
  }
  iterator insert(const_iterator __hint, value_type&& __value) {
    return __only_place(__insert_value(__hint.__node_, std::move(__value)));
  }
  template <class _Other, class = __enable_if_t<!__is_set && is_constructible<value_type, _Other&&>::value> >
  _Inserted insert(_Other&& __value) {
    return emplace(std::forward<_Other>(__value));
  }
  template <class _Other, class = __enable_if_t<!__is_set && is_constructible<value_type, _Other&&>::value> >
  iterator insert(const_iterator __hint, _Other&& __value) {
    return emplace_hint(__hint, std::forward<_Other>(__value));
  }
  template <class _Iterator, class = typename iterator_traits<_Iterator>::iterator_category>
  void insert(_Iterator __first, _Iterator __last) {
    if (!_Unique)
      __make_room(__elements_in(__first, __last));
    for (; __first != __last; ++__first)
      insert(*__first);
  }
  void insert(initializer_list<value_type> __list) { insert(__list.begin(), __list.end()); }

  // Removal.
  iterator erase(const_iterator __at) {
    _Node* const __node = __at.__node_;
    _Node* const __next = __node->__next();
    __unlink(__before(__node), __bucket_of(__node));
    _Maker::__free(__allocator_, __node);
    return iterator(__next);
  }
  iterator erase(iterator __at) { return erase(const_iterator(__at)); }
  size_type erase(const key_type& __key) { return __erase_from(__before_equal(__key)); }
  iterator erase(const_iterator __from, const_iterator __to) {
    while (__from != __to)
      __from = erase(__from);
    return iterator(__to.__node_);
  }
  void clear() _NOEXCEPT {
    __free_elements();
    std::memset(__buckets_, 0, __count_ * sizeof(_Link*));
  }
  void swap(__unordered_table& __x) _NOEXCEPT_(__is_nothrow_swappable_v<_Hash>&& __is_nothrow_swappable_v<_Equal>) {
    using std::swap;
    swap(__hash_, __x.__hash_);
    swap(__equal_, __x.__equal_);
    std::__swap_allocator(__allocator_, __x.__allocator_);
    __unordered_parts __mine = __give_parts();
    __accept_parts(__x.__give_parts());
    __x.__accept_parts(__mine);
  }

#if _LIBCPP_STD_VER >= 17
  // Nodes.
  node_type extract(const_iterator __at) { return __extract(__before(__at.__node_), __bucket_of(__at.__node_)); }
  node_type extract(const key_type& __key) {
    const size_t __hash = __hash_(__key);
    _Link* const __link = __before_equal_in(__hash % __count_, __key, __hash);
    return __link == nullptr ? node_type() : __extract(__link, __hash % __count_);
  }
  _Handle_inserted insert(node_type&& __handle) { return __insert_handle(nullptr, __handle, integral_constant<bool, _Unique>()); }
  iterator insert(const_iterator __hint, node_type&& __handle) {
    return __place_of(__insert_handle(__hint.__node_, __handle, integral_constant<bool, _Unique>()));
  }

  template <class _Other_hash, class _Other_equal, bool _Other_unique>
  void merge(__unordered_table<_Key, _Value, _KeyOf, _Other_hash, _Other_equal, _Allocator, _Other_unique>& __source) {
    __merge(__source, integral_constant<bool, _Unique>());
  }
  template <class _Other_hash, class _Other_equal, bool _Other_unique>
  void merge(__unordered_table<_Key, _Value, _KeyOf, _Other_hash, _Other_equal, _Allocator, _Other_unique>&& __source) {
    __merge(__source, integral_constant<bool, _Unique>());
  }
#endif

protected:
  // Nodes and buckets.
  static const _Key& __key_of(const _Node* __node) { return _KeyOf::__of(__node->__value_); }
  static _Node* __node(_Link* __link) { return static_cast<_Node*>(__link); }
  _Node* __first() const { return static_cast<_Node*>(__head_.__next_); }

  size_t __hash_of(const __unordered_node<_Value, true>* __node) const { return __node->__hash_; }
  size_t __hash_of(const __unordered_node<_Value, false>* __node) const { return __hash_(__key_of(__node)); }
  size_t __bucket_of(const _Node* __node) const { return __hash_of(__node) % __count_; }

  static bool __may_equal(const __unordered_node<_Value, true>* __node, size_t __hash) { return __node->__hash_ == __hash; }
  static bool __may_equal(const __unordered_node<_Value, false>*, size_t) { return true; }
  template <class _Any_key>
  bool __matches(const _Any_key& __key, size_t __hash, const _Node* __node) const {
    return __may_equal(__node, __hash) && __equal_(__key, __key_of(__node));
  }
  bool __same_keys(const __unordered_node<_Value, true>* __x, const __unordered_node<_Value, true>* __y) const {
    return __x->__hash_ == __y->__hash_ && __equal_(__key_of(__x), __key_of(__y));
  }
  bool __same_keys(const __unordered_node<_Value, false>* __x, const __unordered_node<_Value, false>* __y) const {
    return __equal_(__key_of(__x), __key_of(__y));
  }

  _Node* __first_of(size_t __bucket) const {
    _Link* const __before = __buckets_[__bucket];
    return __before == nullptr ? nullptr : static_cast<_Node*>(__before->__next_);
  }
  _Link* __before(const _Node* __node) const {
    _Link* __link = __buckets_[__bucket_of(__node)];
    while (__link->__next_ != __node)
      __link = __link->__next_;
    return __link;
  }
  /** The link before the first element with a key, null if there is none. */
  template <class _Any_key>
  _Link* __before_equal_in(size_t __bucket, const _Any_key& __key, size_t __hash) const {
    _Link* __link = __buckets_[__bucket];
    if (__link == nullptr)
      return nullptr;
    for (;;) {
      _Node* const __node = static_cast<_Node*>(__link->__next_);
      if (__matches(__key, __hash, __node))
        return __link;
      if (__node->__next() == nullptr || __bucket_of(__node->__next()) != __bucket)
        return nullptr;
      __link = __node;
    }
  }
  _Link* __before_equal(const key_type& __key) {
    if (__size_ > __few) {
      const size_t __hash = __hash_(__key);
      return __before_equal_in(__hash % __count_, __key, __hash);
    }
    for (_Link* __link = &__head_; __link->__next_ != nullptr; __link = __link->__next_)
      if (__equal_(__key, __key_of(__node(__link->__next_))))
        return __link;
    return nullptr;
  }
  template <class _Any_key>
  _Node* __find_hashed(const _Any_key& __key, size_t __hash) const {
    _Link* const __link = __before_equal_in(__hash % __count_, __key, __hash);
    return __link == nullptr ? nullptr : __node(__link->__next_);
  }
  _Node* __find_among_few(const key_type& __key) const {
    for (_Node* __node = __first(); __node != nullptr; __node = __node->__next())
      if (__equal_(__key, __key_of(__node)))
        return __node;
    return nullptr;
  }
  _Node* __find(const key_type& __key) const {
    return __size_ <= __few ? __find_among_few(__key) : __find_hashed(__key, __hash_(__key));
  }

  _Node* __end_of_equals(_Node* __node) const {
    _Node* __end = __node->__next();
    while (!_Unique && __end != nullptr && __same_keys(__node, __end))
      __end = __end->__next();
    return __end;
  }
  size_t __count_from(_Node* __node) const {
    if (__node == nullptr)
      return 0;
    return size_t(std::distance(const_iterator(__node), const_iterator(__end_of_equals(__node))));
  }
  template <class _Iterator>
  pair<_Iterator, _Iterator> __range_from(_Node* __node) const {
    return pair<_Iterator, _Iterator>(_Iterator(__node), _Iterator(__node == nullptr ? nullptr : __end_of_equals(__node)));
  }
  template <class _Iterator, class _Other>
  pair<_Iterator, _Iterator> __range_of_other(const _Other& __key) const {
    const size_t __hash = __hash_(__key);
    _Node* const __node = __find_hashed(__key, __hash);
    _Node* __end = __node;
    while (__end != nullptr && __matches(__key, __hash, __end))
      __end = __end->__next();
    return pair<_Iterator, _Iterator>(_Iterator(__node), _Iterator(__end));
  }

  // Order.
  static void __link_after(_Link* __before, _Link* __link) {
    __link->__next_ = __before->__next_;
    __before->__next_ = __link;
  }
  void __link_first(size_t __bucket, _Node* __node) {
    if (__buckets_[__bucket] != nullptr) {
      __link_after(__buckets_[__bucket], __node);
      return;
    }
    __link_after(&__head_, __node);
    if (__node->__next() != nullptr)
      __buckets_[__bucket_of(__node->__next())] = __node;
    __buckets_[__bucket] = &__head_;
  }
  void __unlink(_Link* __before, size_t __bucket) {
    _Node* const __next = __node(__before->__next_)->__next();
    const bool __was_first = __buckets_[__bucket] == __before;
    const size_t __next_bucket = __next == nullptr ? __count_ : __bucket_of(__next);
    if (__next_bucket != __bucket) {
      if (__next != nullptr)
        __buckets_[__next_bucket] = __before;
      if (__was_first)
        __buckets_[__bucket] = nullptr;
    }
    __before->__next_ = __next;
    --__size_;
  }

  void __make_room(size_t __added) {
    if (__added == 0)
      return;
    if (const size_t __count = __policy_.__growth(__count_, __size_, __added))
      __rebuild(__count);
  }

  iterator __add_unique(_Node* __node, size_t __hash, size_t __expected = 1) {
    __make_room(__expected);
    __node->__keep(__hash);
    __link_first(__hash % __count_, __node);
    ++__size_;
    return iterator(__node);
  }

  /** Puts the node before its equals, or after `__hint` if that is one of them. */
  iterator __add_equal(_Node* __hint, _Node* __node, size_t __hash) {
    __make_room(1);
    __node->__keep(__hash);
    const _Key& __key = __key_of(__node);
    const size_t __bucket = __hash % __count_;
    ++__size_;
    if (__hint != nullptr && __matches(__key, __hash, __hint)) {
      __link_after(__hint, __node);
      _Node* const __next = __node->__next();
      if (__next != nullptr && !__matches(__key, __hash, __next) && __bucket_of(__next) != __bucket)
        __buckets_[__bucket_of(__next)] = __node;
      return iterator(__node);
    }
    if (_Link* const __before = __before_equal_in(__bucket, __key, __hash))
      __link_after(__before, __node);
    else
      __link_first(__bucket, __node);
    return iterator(__node);
  }

  /** Distributes all elements anew. Where keys repeat, neighbours that meet in a bucket again keep their order. */
  void __rebuild(size_t __count) {
    _Link** const __fresh = __count == 1 ? &__only_bucket_ : __allocate_buckets(__count);
    if (__count == 1)
      __only_bucket_ = nullptr;
    _Node* __node = __first();
    __head_.__next_ = nullptr;
    _Node* __last = nullptr;
    size_t __last_bucket = 0;
    size_t __first_bucket = 0;
    bool __extended = false;
    const auto __close = [&] {
      if (!__extended)
        return;
      __extended = false;
      if (__last->__next() == nullptr)
        return;
      const size_t __bucket = __hash_of(__last->__next()) % __count;
      if (__bucket != __last_bucket)
        __fresh[__bucket] = __last;
    };
    while (__node != nullptr) {
      _Node* const __next = __node->__next();
      const size_t __bucket = __hash_of(__node) % __count;
      if (!_Unique && __last != nullptr && __bucket == __last_bucket) {
        __link_after(__last, __node);
        __extended = true;
      } else {
        __close();
        if (__fresh[__bucket] != nullptr) {
          __link_after(__fresh[__bucket], __node);
        } else {
          __link_after(&__head_, __node);
          if (__node->__next() != nullptr)
            __fresh[__first_bucket] = __node;
          __fresh[__bucket] = &__head_;
          __first_bucket = __bucket;
        }
      }
      __last = __node;
      __last_bucket = __bucket;
      __node = __next;
    }
    __close();
    __free_buckets();
    __buckets_ = __fresh;
    __count_ = __count;
  }

  // Insertion.
  iterator __only_place(iterator __at) { return __at; }
  iterator __only_place(const pair<iterator, bool>& __result) { return __result.first; }
  iterator __place_of(iterator __at) { return __at; }
  template <class _Result>
  iterator __place_of(const _Result& __result) {
    return __result.position;
  }

  /** A node that is freed unless it finds a place. */
  struct __new_node {
    template <class... _Arguments>
    explicit __new_node(_Node_allocator& __allocator, _Arguments&&... __arguments)
        : __allocator_(__allocator), __node_(_Maker::__make(__allocator, std::forward<_Arguments>(__arguments)...)) {}
    __new_node(const __new_node&) = delete;
    ~__new_node() {
      if (__node_ != nullptr)
        _Maker::__free(__allocator_, __node_);
    }
    _Node_allocator& __allocator_;
    _Node* __node_;
  };

  template <class... _Arguments>
  _Inserted __insert_built(_Node* __hint, _Arguments&&... __arguments) {
    __new_node __built(__allocator_, std::forward<_Arguments>(__arguments)...);
    return __insert_node(__hint, __built, integral_constant<bool, _Unique>());
  }
  pair<iterator, bool> __insert_node(_Node*, __new_node& __built, true_type) {
    const _Key& __key = __key_of(__built.__node_);
    size_t __hash;
    if (_Node* const __found = __find_or_hash(__key, __hash))
      return pair<iterator, bool>(iterator(__found), false);
    const iterator __at = __add_unique(__built.__node_, __hash);
    __built.__node_ = nullptr;
    return pair<iterator, bool>(__at, true);
  }
  iterator __insert_node(_Node* __hint, __new_node& __built, false_type) {
    const _Key& __key = __key_of(__built.__node_);
    if (_Node* const __equal = __hint_among_few(__hint, __key))
      __hint = __equal;
    const iterator __at = __add_equal(__hint, __built.__node_, __hash_(__key));
    __built.__node_ = nullptr;
    return __at;
  }
  /** In a small table with a slow hash an equal element is looked for from the hint on, and becomes the hint. */
  _Node* __hint_among_few(_Node* __hint, const _Key& __key) const {
    if (__size_ > __few)
      return nullptr;
    for (_Node* __node = __hint; __node != nullptr; __node = __node->__next())
      if (__equal_(__key, __key_of(__node)))
        return __node;
    for (_Node* __node = __first(); __node != __hint; __node = __node->__next())
      if (__equal_(__key, __key_of(__node)))
        return __node;
    return nullptr;
  }
  /** The element with a key, or else the key's hash. */
  _Node* __find_or_hash(const _Key& __key, size_t& __hash) const {
    if (__size_ <= __few) {
      if (_Node* const __found = __find_among_few(__key))
        return __found;
      __hash = __hash_(__key);
      return nullptr;
    }
    __hash = __hash_(__key);
    return __find_hashed(__key, __hash);
  }

  template <class _Argument>
  _Inserted __insert_value(_Node* __hint, _Argument&& __value) {
    return __insert_value_if(__hint, std::forward<_Argument>(__value), integral_constant<bool, _Unique>());
  }
  template <class _Argument>
  pair<iterator, bool> __insert_value_if(_Node*, _Argument&& __value, true_type) {
    return __insert_unless_found(_KeyOf::__of(__value), std::forward<_Argument>(__value));
  }
  template <class _Argument>
  iterator __insert_value_if(_Node* __hint, _Argument&& __value, false_type) {
    return __insert_built(__hint, std::forward<_Argument>(__value));
  }
  /** Builds the element only where the key is new. */
  template <class... _Arguments>
  pair<iterator, bool> __insert_unless_found(const _Key& __key, _Arguments&&... __arguments) {
    size_t __hash;
    if (_Node* const __found = __find_or_hash(__key, __hash))
      return pair<iterator, bool>(iterator(__found), false);
    __new_node __built(__allocator_, std::forward<_Arguments>(__arguments)...);
    const iterator __at = __add_unique(__built.__node_, __hash);
    __built.__node_ = nullptr;
    return pair<iterator, bool>(__at, true);
  }

  // Removal.
  size_t __erase_from(_Link* __before) {
    if (__before == nullptr)
      return 0;
    _Node* const __first_equal = __node(__before->__next_);
    _Node* const __end = __end_of_equals(__first_equal);
    const size_t __bucket = __bucket_of(__first_equal);
    // The key may be one of the elements: they are freed when it is no longer needed.
    _Link __removed;
    size_t __erased = 0;
    while (__before->__next_ != __end) {
      _Link* const __link = __before->__next_;
      __unlink(__before, __bucket);
      __link_after(&__removed, __link);
      ++__erased;
    }
    __free_list(__node(__removed.__next_));
    return __erased;
  }
  void __free_list(_Node* __node) {
    while (__node != nullptr)
      _Maker::__free(__allocator_, std::exchange(__node, __node->__next()));
  }
  void __free_elements() {
    _Node* const __all = __first();
    __head_.__next_ = nullptr;
    __size_ = 0;
    __free_list(__all);
  }
  void __free_all() {
    __free_elements();
    __free_buckets();
    __buckets_ = &__only_bucket_;
    __only_bucket_ = nullptr;
    __count_ = 1;
  }

  // Storage of the buckets; a single one is part of the table.
  _Link** __allocate_buckets(size_t __count) {
    _Bucket_allocator __allocator(__allocator_);
    _Link** const __buckets = std::__to_address(_Bucket_traits::allocate(__allocator, __count));
    std::memset(__buckets, 0, __count * sizeof(_Link*));
    return __buckets;
  }
  void __free_buckets() {
    if (__buckets_ == &__only_bucket_)
      return;
    _Bucket_allocator __allocator(__allocator_);
    _Bucket_traits::deallocate(__allocator, pointer_traits<typename _Bucket_traits::pointer>::pointer_to(*__buckets_), __count_);
  }
  void __start_with(size_t __wanted) {
    const size_t __count = __policy_.__take(__wanted);
    if (__count > __count_) {
      __buckets_ = __allocate_buckets(__count);
      __count_ = __count;
    }
  }

  // Copies and moves.
  template <class _From>
  void __assign_allocator(_From&& __allocator, true_type) {
    __allocator_ = std::forward<_From>(__allocator);
  }
  template <class _From>
  void __assign_allocator(_From&&, false_type) {}
  void __copy_elements(const __unordered_table& __x) {
    __adopt_all(__x, [](_Node* __node) -> const _Value& { return __node->__value_; });
  }
  /** Elements like those of a table with as many buckets, in its order. */
  template <class _Get>
  void __adopt_all(const __unordered_table& __x, _Get __get) {
    if (__x.__count_ != 1)
      __buckets_ = __allocate_buckets(__x.__count_);
    __count_ = __x.__count_;
    __policy_ = __x.__policy_;
    _Link* __before = &__head_;
    for (_Node* __from = __x.__first(); __from != nullptr; __from = __from->__next()) {
      _Node* const __node = _Maker::__make(__allocator_, __get(__from));
      __node->__keep(__x.__hash_of(__from));
      __before->__next_ = __node;
      ++__size_;
      _Link*& __bucket = __buckets_[__bucket_of(__node)];
      if (__bucket == nullptr)
        __bucket = __before;
      __before = __node;
    }
  }
  void __take_elements(__unordered_table& __x) { __accept_parts(__x.__give_parts()); }
  void __take_or_move_elements(__unordered_table& __x) {
    if (__allocator_ == __x.__allocator_) {
      __take_elements(__x);
      return;
    }
    __adopt_all(__x, [](_Node* __node) -> _Value&& { return std::move(__node->__value_); });
    __x.clear();
  }

  struct __unordered_parts {
    _Link** __buckets;
    size_t __count;
    _Node* __first;
    size_t __size;
    __bucket_policy __policy;
  };
  /** Leaves an empty table. A single bucket is said by null: it cannot move. */
  __unordered_parts __give_parts() {
    __unordered_parts __parts = {__buckets_ == &__only_bucket_ ? nullptr : __buckets_, __count_, __first(), __size_, __policy_};
    __buckets_ = &__only_bucket_;
    __only_bucket_ = nullptr;
    __count_ = 1;
    __head_.__next_ = nullptr;
    __size_ = 0;
    __policy_.__forget();
    return __parts;
  }
  void __accept_parts(const __unordered_parts& __parts) {
    __buckets_ = __parts.__buckets == nullptr ? &__only_bucket_ : __parts.__buckets;
    __count_ = __parts.__count;
    __head_.__next_ = __parts.__first;
    __size_ = __parts.__size;
    __policy_ = __parts.__policy;
    if (__parts.__first != nullptr)
      __buckets_[__bucket_of(__parts.__first)] = &__head_;
  }

  template <class _Iterator>
  static size_t __elements_in(_Iterator __first, _Iterator __last) {
    return __elements_in(__first, __last, typename iterator_traits<_Iterator>::iterator_category());
  }
  template <class _Iterator>
  static size_t __elements_in(_Iterator __first, _Iterator __last, input_iterator_tag) {
    return __first == __last ? 0 : 1;
  }
  template <class _Iterator>
  static size_t __elements_in(_Iterator __first, _Iterator __last, forward_iterator_tag) {
    return size_t(std::distance(__first, __last));
  }

#if _LIBCPP_STD_VER >= 17
  node_type __extract(_Link* __before, size_t __bucket) {
    _Node* const __taken = __node(__before->__next_);
    __unlink(__before, __bucket);
    __taken->__next_ = nullptr;
    return node_type(__taken, __allocator_);
  }
  __node_insertion<iterator, node_type> __insert_handle(_Node*, node_type& __handle, true_type) {
    if (__handle.empty())
      return {end(), false, node_type()};
    const _Key& __key = __key_of(__handle.__node_);
    const size_t __hash = __hash_(__key);
    if (_Node* const __found = __find_hashed(__key, __hash))
      return {iterator(__found), false, std::move(__handle)};
    return {__add_unique(__handle.__give(), __hash), true, node_type()};
  }
  iterator __insert_handle(_Node* __hint, node_type& __handle, false_type) {
    if (__handle.empty())
      return end();
    const size_t __hash = __hash_(__key_of(__handle.__node_));
    return __add_equal(__hint, __handle.__give(), __hash);
  }

  // A hash that the other table has kept counts where it is of the same type.
  size_t __hash_from(const _Hash&, const _Node* __node) const { return __hash_of(__node); }
  template <class _Other_hash>
  size_t __hash_from(const _Other_hash&, const _Node* __node) const {
    return __hash_(__key_of(__node));
  }

  template <class _Source>
  void __merge(_Source& __source, true_type) {
    size_t __expected = __source.size();
    for (auto* __from = __source.__first(); __from != nullptr;) {
      auto* const __next = __from->__next();
      const size_t __hash = __hash_from(__source.__hash_, __from);
      if (__find_hashed(__key_of(__from), __hash) == nullptr) {
        __source.__unlink(__source.__before(__from), __source.__bucket_of(__from));
        __add_unique(__from, __hash, __expected);
        __expected = 1;
      } else if (__expected != 1) {
        --__expected;
      }
      __from = __next;
    }
  }
  template <class _Source>
  void __merge(_Source& __source, false_type) {
    if (static_cast<const void*>(this) == static_cast<const void*>(std::addressof(__source)))
      return;
    reserve(__size_ + __source.size());
    _Node* __hint = nullptr;
    while (_Node* const __from = __source.__first()) {
      const size_t __hash = __hash_from(__source.__hash_, __from);
      __source.__unlink(&__source.__head_, __source.__bucket_of(__from));
      __hint = __add_equal(__hint, __from, __hash).__node_;
    }
  }
#endif

  // In the order of libstdc++'s members, so that the sizes agree.
  _Link** __buckets_ = &__only_bucket_;
  size_t __count_ = 1;
  _Link __head_;
  size_t __size_ = 0;
  __bucket_policy __policy_;
  _Link* __only_bucket_ = nullptr;
  _LIBCPP_NO_UNIQUE_ADDRESS _Hash __hash_;
  _LIBCPP_NO_UNIQUE_ADDRESS _Equal __equal_;
  _LIBCPP_NO_UNIQUE_ADDRESS _Node_allocator __allocator_;
};

/** Unique keys: as many elements, and each is found. Others: also as often as there. */
template <class _Container>
bool __same_elements(const _Container& __x, const _Container& __y, true_type) {
  if (__x.size() != __y.size())
    return false;
  for (const auto& __value : __x) {
    const auto __at = __y.find(_Container::__key_in(__value));
    if (__at == __y.end() || !(*__at == __value))
      return false;
  }
  return true;
}
template <class _Container>
bool __same_elements(const _Container& __x, const _Container& __y, false_type) {
  if (__x.size() != __y.size())
    return false;
  for (auto __at = __x.begin(); __at != __x.end();) {
    const auto __mine = __x.equal_range(_Container::__key_in(*__at));
    const auto __theirs = __y.equal_range(_Container::__key_in(*__at));
    if (!std::is_permutation(__mine.first, __mine.second, __theirs.first, __theirs.second))
      return false;
    __at = __mine.second;
  }
  return true;
}

template <class _Container, class _Predicate>
size_t __erase_where(_Container& __container, _Predicate __predicate) {
  const size_t __before = __container.size();
  for (auto __at = __container.begin(); __at != __container.end();)
    if (__predicate(*__at))
      __at = __container.erase(__at);
    else
      ++__at;
  return __before - __container.size();
}

// What deduction guides ask of their arguments.
template <class _Hash>
using __if_hash = __enable_if_t<!is_integral<_Hash>::value && !__is_allocator<_Hash>::value>;
template <class _Allocator>
using __if_allocator = __enable_if_t<__is_allocator<_Allocator>::value>;
template <class _Equal>
using __if_no_allocator = __enable_if_t<!__is_allocator<_Equal>::value>;

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
