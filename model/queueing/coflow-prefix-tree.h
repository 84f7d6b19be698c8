/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PREFIX_TREE_H
#define COFLOW_PREFIX_TREE_H

#include <cstdint>

namespace ns3::coflow
{

/// An ordered set of nodes with sums over its prefixes: a treap whose nodes have the sum of their
/// subtree. All operations cost O(log n) in the mean over the ranks. Ranks are hashes of keys, so
/// the shape depends on the keys only.
///
/// @tparam Node derives from PrefixTree<Node, Sum>::Hook, and has `uint64_t GetKey() const`,
/// constant and unique while it is in the tree, and `Sum GetSum() const`, of itself alone
/// @tparam Sum default-constructed it is of nothing; `a + b` is of what a stands for followed by
/// what b does, and need not commute
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
        Sum m_sum; ///< of the subtree
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

    /// To be called when a node's own sum has changed.
    void Update(Node& node)
    {
        Renew(*m_root, node.GetKey());
    }

    /// @return the sum of all nodes
    Sum GetSum() const
    {
        return SumOf(m_root);
    }

    /// @param isEnough whether a prefix with this sum is long enough; true for every longer one
    /// @return the sum of the shortest prefix that is long enough, or of all if none is
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

    /// A hash (SplitMix64: Steele et al., OOPSLA 2014); roots of subtrees have the greatest.
    static uint64_t GetRank(const Node& node)
    {
        uint64_t x = node.GetKey() + 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }

    static Node* Link(Node& node, Node* left, Node* right)
    {
        Hook& hook = node;
        hook.m_left = left;
        hook.m_right = right;
        hook.m_sum = SumOf(left) + node.GetSum() + SumOf(right);
        return &node;
    }

    /// Joins two trees of which all keys of the first are smaller.
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

    /// Splits a tree into keys below one and the others.
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
