/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ORDER_BY_H
#define COFLOW_ORDER_BY_H

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace coflow
{

/// Sorts the positions of a list by a key of its elements; ties: by position.
/// @param order the result: positions, smallest key first
/// @param list a list with access by position
/// @param key key of an element: a member or a function; by default, the element
template <class Number, class List, class Key = std::identity>
void
OrderBy(std::vector<Number>& order, const List& list, Key key = {})
{
    order.resize(list.size());
    std::iota(order.begin(), order.end(), Number{0});
    std::ranges::stable_sort(order, {}, [&](Number i) -> decltype(auto) {
        return std::invoke(key, list[i]);
    });
}

} // namespace coflow

#endif // COFLOW_ORDER_BY_H
