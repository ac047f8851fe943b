/** The elements of unordered containers: nodes of a list, iterators over them, and handles of nodes that were taken out. */
#ifndef LANEWISE_STD_UNORDERED_NODES_H
#define LANEWISE_STD_UNORDERED_NODES_H

#include <__config>
#include <__cstddef/ptrdiff_t.h>
#include <__cstddef/size_t.h>
#include <__iterator/iterator_traits.h>
#include <__memory/addressof.h>
#include <__memory/allocator_traits.h>
#include <__memory/pointer_traits.h>
#include <__type_traits/conditional.h>
#include <__type_traits/remove_const.h>
#include <__utility/exchange.h>
#include <__utility/forward.h>
#include <__utility/move.h>
#include <__utility/pair.h>
#include <__utility/swap.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

struct __unordered_link {
  __unordered_link* __next_ = nullptr;
};

template <bool _Cached>
struct __kept_hash {
  void __keep(size_t) {}
};
template <>
struct __kept_hash<true> {
  size_t __hash_;
  void __keep(size_t __hash) { __hash_ = __hash; }
};

template <class _Value, bool _Cached>
struct __unordered_node : __unordered_link, __kept_hash<_Cached> {
  typedef _Value __value_type;
  static const bool __is_cached = _Cached;

  union {
    _Value __value_;
  };

  __unordered_node() {}
  ~__unordered_node() {}
  __unordered_node* __next() const { return static_cast<__unordered_node*>(this->__next_); }
};

/** Makes and frees nodes with a container's allocator. */
template <class _Node, class _Allocator>
struct __node_maker {
  typedef typename allocator_traits<_Allocator>::template rebind_alloc<_Node> _Node_allocator;
  typedef allocator_traits<_Node_allocator> _Traits;

  template <class... _Arguments>
  static _Node* __make(_Node_allocator& __allocator, _Arguments&&... __arguments) {
    struct __guard {
      _Node_allocator& __allocator;
      _Node* __node;
      ~__guard() {
        if (__node != nullptr)
          __release(__allocator, __node);
      }
    } __unbuilt = {__allocator, std::__to_address(_Traits::allocate(__allocator, 1))};
    ::new (static_cast<void*>(__unbuilt.__node)) _Node;
    _Traits::construct(__allocator, std::addressof(__unbuilt.__node->__value_), std::forward<_Arguments>(__arguments)...);
    return std::exchange(__unbuilt.__node, nullptr);
  }

  static void __free(_Node_allocator& __allocator, _Node* __node) {
    _Traits::destroy(__allocator, std::addressof(__node->__value_));
    __release(__allocator, __node);
  }

private:
  static void __release(_Node_allocator& __allocator, _Node* __node) {
    _Traits::deallocate(__allocator, pointer_traits<typename _Traits::pointer>::pointer_to(*__node), 1);
  }
};

/** A place in a container, by which all of its iterators compare. */
template <class _Node>
struct __unordered_place {
  _Node* __node_ = nullptr;

  __unordered_place() = default;
  explicit __unordered_place(_Node* __node) : __node_(__node) {}
  friend bool operator==(const __unordered_place& __x, const __unordered_place& __y) { return __x.__node_ == __y.__node_; }
  friend bool operator!=(const __unordered_place& __x, const __unordered_place& __y) { return __x.__node_ != __y.__node_; }
};

/** `_Value` is const where elements may not be changed, which is always so in a set; `_Is_const` tells const_iterator from iterator. */
template <class _Node, class _Value, bool _Is_const>
struct __unordered_iterator : __unordered_place<_Node> {
  typedef forward_iterator_tag iterator_category;
  typedef __remove_const_t<_Value> value_type;
  typedef ptrdiff_t difference_type;
  typedef _Value* pointer;
  typedef _Value& reference;

  __unordered_iterator() = default;
  explicit __unordered_iterator(_Node* __node) : __unordered_place<_Node>(__node) {}
  template <class _Other, bool _From_const, class = __enable_if_t<_Is_const && !_From_const && sizeof(_Other*)> >
  __unordered_iterator(const __unordered_iterator<_Node, _Other, _From_const>& __other)
      : __unordered_place<_Node>(__other.__node_) {}

  reference operator*() const { return this->__node_->__value_; }
  pointer operator->() const { return std::addressof(this->__node_->__value_); }
  __unordered_iterator& operator++() {
    this->__node_ = this->__node_->__next();
    return *this;
  }
  __unordered_iterator operator++(int) {
    __unordered_iterator __before = *this;
    ++*this;
    return __before;
  }
};

/** Over the elements of one bucket of a container of type `_Table`. */
template <class _Table, class _Node, class _Value, bool _Is_const>
struct __unordered_local_iterator : __unordered_place<_Node> {
  typedef forward_iterator_tag iterator_category;
  typedef __remove_const_t<_Value> value_type;
  typedef ptrdiff_t difference_type;
  typedef _Value* pointer;
  typedef _Value& reference;

  __unordered_local_iterator() = default;
  __unordered_local_iterator(_Node* __node, const _Table* __table, size_t __bucket)
      : __unordered_place<_Node>(__node), __table_(__table), __bucket_(__bucket) {}
  template <class _Other, bool _From_const, class = __enable_if_t<_Is_const && !_From_const && sizeof(_Other*)> >
  __unordered_local_iterator(const __unordered_local_iterator<_Table, _Node, _Other, _From_const>& __other)
      : __unordered_place<_Node>(__other.__node_), __table_(__other.__table_), __bucket_(__other.__bucket_) {}

  reference operator*() const { return this->__node_->__value_; }
  pointer operator->() const { return std::addressof(this->__node_->__value_); }
  __unordered_local_iterator& operator++() {
    _Node* __next = this->__node_->__next();
    this->__node_ = __next != nullptr && __table_->__bucket_of(__next) == __bucket_ ? __next : nullptr;
    return *this;
  }
  __unordered_local_iterator operator++(int) {
    __unordered_local_iterator __before = *this;
    ++*this;
    return __before;
  }

  const _Table* __table_ = nullptr;
  size_t __bucket_ = 0;
};

/** Owns a node that is in no container. */
template <class _Node, class _Allocator>
class __node_owner {
  typedef __node_maker<_Node, _Allocator> _Maker;
  typedef typename _Maker::_Node_allocator _Node_allocator;

public:
  typedef _Allocator allocator_type;

  __node_owner() _NOEXCEPT {}
  __node_owner(_Node* __node, const _Node_allocator& __allocator) : __node_(__node) { __hold(__allocator); }
  __node_owner(__node_owner&& __other) _NOEXCEPT { __steal(__other); }
  __node_owner& operator=(__node_owner&& __other) _NOEXCEPT {
    if (this != std::addressof(__other)) {
      __drop();
      __steal(__other);
    }
    return *this;
  }
  ~__node_owner() { __drop(); }

  bool empty() const _NOEXCEPT { return __node_ == nullptr; }
  explicit operator bool() const _NOEXCEPT { return __node_ != nullptr; }
  allocator_type get_allocator() const { return allocator_type(__allocator_); }

  void swap(__node_owner& __other) _NOEXCEPT {
    __node_owner __third(std::move(__other));
    __other = std::move(*this);
    *this = std::move(__third);
  }
  friend void swap(__node_owner& __x, __node_owner& __y) _NOEXCEPT { __x.swap(__y); }

  _Node* __give() {
    __allocator_.~_Node_allocator();
    return std::exchange(__node_, nullptr);
  }

  // There is an allocator while there is a node.
  _Node* __node_ = nullptr;

private:
  void __hold(const _Node_allocator& __allocator) { ::new (static_cast<void*>(std::addressof(__allocator_))) _Node_allocator(__allocator); }
  void __steal(__node_owner& __other) {
    if (__other.__node_ == nullptr)
      return;
    __hold(__other.__allocator_);
    __node_ = __other.__give();
  }
  void __drop() {
    if (__node_ == nullptr)
      return;
    _Maker::__free(__allocator_, __node_);
    __give();
  }

  union {
    _Node_allocator __allocator_;
  };
};

template <class _Node, class _Allocator>
struct __unordered_set_handle : __node_owner<_Node, _Allocator> {
  typedef typename _Node::__value_type value_type;
  using __node_owner<_Node, _Allocator>::__node_owner;
  value_type& value() const { return this->__node_->__value_; }
};

template <class _Node, class _Allocator>
struct __unordered_map_handle : __node_owner<_Node, _Allocator> {
  typedef __remove_const_t<typename _Node::__value_type::first_type> key_type;
  typedef typename _Node::__value_type::second_type mapped_type;
  using __node_owner<_Node, _Allocator>::__node_owner;
  key_type& key() const { return const_cast<key_type&>(this->__node_->__value_.first); }
  mapped_type& mapped() const { return this->__node_->__value_.second; }
};

template <class _Iterator, class _Handle>
struct __node_insertion {
  _Iterator position;
  bool inserted;
  _Handle node;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
