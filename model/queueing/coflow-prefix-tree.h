/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PREFIX_TREE_H
#define COFLOW_PREFIX_TREE_H

#include "ns3/coflow-flow-hash.h"

#include <cstdint>

namespace ns3::coflow
{

/// An ordered set of nodes with sums over its prefixes: a treap whose nodes have the sum of their
/// subtree. All operations cost O(log n) in the mean over the ranks. Ranks are hashes of keys, so
/// the shape depends on the keys only.
///
/// @tparam Node class that derives from PrefixTree<Node, Sum>::Hook. `uint64_t GetKey() const`
///         returns a key that is unique, and constant while the node is in the tree. `Sum GetSum()
///         const` returns the sum of this node only
/// @tparam Sum class whose default constructor makes the sum of no nodes. `a + b` is the sum of the
///         nodes of a followed by the nodes of b. The sum need not be
///         commutative
template <typename Node, typename Sum>
class PrefixTree
{
  public:
    /// The members of a node for the tree.
    class Hook
    {
        friend class PrefixTree;
        Node* m_left{nullptr};
        Node* m_right{nullptr};
        Sum m_sum; ///< sum of the subtree
    };

    /// Adds a node.
    void Insert(Node& node)
    {
        Node* left = nullptr;
        Node* right = nullptr;
        Split(m_root, node.GetKey(), left, right);
        Link(node, nullptr, nullptr);
        m_root = Join(Join(left, &node), right);
    }

    /// Removes a node.
    void Erase(Node& node)
    {
        m_root = Without(m_root, node);
    }

    /// Updates the sums after a change of a node's own sum.
    void Update(Node& node)
    {
        Renew(*m_root, node.GetKey());
    }

    /// @return the sum of all nodes
    Sum GetSum() const
    {
        return SumOf(m_root);
    }

    /// @param isEnough returns whether a prefix with a given sum is long enough. If it returns true
    ///        for a prefix, it returns true for all longer prefixes
    /// @return sum of the shortest prefix that is long enough; sum of all nodes where no prefix is
    template <typename Predicate>
    Sum GetPrefix(const Predicate& isEnough) const
    {
        Sum before;
        for (const Node* node = m_root; node;)
        {
            const Hook& hook = *node;
            const Sum withLeft = before + SumOf(hook.m_left);
            if (hook.m_left && isEnough(withLeft))
            {
                node = hook.m_left;
                continue;
            }
            before = withLeft + node->GetSum();
            if (isEnough(before))
            {
                break;
            }
            node = hook.m_right;
        }
        return before;
    }

  private:
    static Sum SumOf(const Node* node)
    {
        return node ? static_cast<const Hook*>(node)->m_sum : Sum();
    }

    /// @return hash of the node's key. The root of a subtree has the largest rank in the subtree
    static uint64_t GetRank(const Node& node)
    {
        return MixBits(node.GetKey() + 0x9e3779b97f4a7c15U);
    }

    static Node* Link(Node& node, Node* left, Node* right)
    {
        Hook& hook = node;
        hook.m_left = left;
        hook.m_right = right;
        hook.m_sum = SumOf(left) + node.GetSum() + SumOf(right);
        return &node;
    }

    /// Joins two trees. All keys of `left` are smaller than all keys of `right`.
    /// @return root of the joined tree; null where both trees are empty
    static Node* Join(Node* left, Node* right)
    {
        if (!left || !right)
        {
            return left ? left : right;
        }
        if (GetRank(*left) > GetRank(*right))
        {
            Hook& hook = *left;
            return Link(*left, hook.m_left, Join(hook.m_right, right));
        }
        Hook& hook = *right;
        return Link(*right, Join(left, hook.m_left), hook.m_right);
    }

    /// Splits a tree into the keys below `key` and all other keys.
    static void Split(Node* tree, uint64_t key, Node*& below, Node*& others)
    {
        if (!tree)
        {
            below = others = nullptr;
            return;
        }
        Hook& hook = *tree;
        if (tree->GetKey() < key)
        {
            Node* middle = nullptr;
            Split(hook.m_right, key, middle, others);
            below = Link(*tree, hook.m_left, middle);
        }
        else
        {
            Node* middle = nullptr;
            Split(hook.m_left, key, below, middle);
            others = Link(*tree, middle, hook.m_right);
        }
    }

    static Node* Without(Node* tree, const Node& node)
    {
        Hook& hook = *tree;
        if (tree == &node)
        {
            return Join(hook.m_left, hook.m_right);
        }
        return node.GetKey() < tree->GetKey()
                   ? Link(*tree, Without(hook.m_left, node), hook.m_right)
                   : Link(*tree, hook.m_left, Without(hook.m_right, node));
    }

    static void Renew(Node& tree, uint64_t key)
    {
        Hook& hook = tree;
        if (key != tree.GetKey())
        {
            Renew(key < tree.GetKey() ? *hook.m_left : *hook.m_right, key);
        }
        hook.m_sum = SumOf(hook.m_left) + tree.GetSum() + SumOf(hook.m_right);
    }

    Node* m_root{nullptr};
};

} // namespace ns3::coflow

#endif // COFLOW_PREFIX_TREE_H
