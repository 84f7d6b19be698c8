/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRANSFORM_H
#define COFLOW_TRANSFORM_H

#include "ns3/coflow-quantity.h"
#include "ns3/coflow-registry.h"
#include "ns3/coflow-types.h"

#include <functional>
#include <string>
#include <vector>

namespace coflow
{

/// One step that changes a workload, ready to be applied.
struct Transform
{
    std::string text;                     ///< canonical text, `first=100`
    std::function<void(Workload&)> apply; ///< what it does; ApplyTransform does what all share
    std::string input{};                  ///< file that it reads; empty: none
};

/// A kind of transform.
///
/// A new one is a file with an object of the type TransformEntry, and its line in CMake.
struct TransformKind
{
    static constexpr const char* KIND = "transform"; ///< its kind in messages

    std::string name;   ///< by which it is found
    std::string syntax; ///< what stands after the equals sign, `N`
    std::string help;   ///< one line

    /// Understands what stands after the equals sign; throws InputError.
    std::function<Transform(const TransformKind& kind, const std::string& argument)> parse;
};

/// Enters a kind of transform under its name.
using TransformEntry = Registry<TransformKind>::Entry;

/// All kinds of transforms, by name.
using TransformKinds = Registry<TransformKind>;

/// Understands transforms NAME=ARGUMENT separated by commas, in the order in which they apply.
/// @param text such as `first=100,scale-bytes=0.1`
/// @return the transforms, in order
/// @throws InputError for an unknown name and for an unsuitable argument
std::vector<Transform> ParseTransforms(const std::string& text);

/// Applies transforms in order; see ApplyTransform().
/// @param workload what is changed
/// @param transforms what does it, the first one first
/// @throws InputError where they leave no coflow of a workload that had some
void ApplyTransforms(Workload& workload, const std::vector<Transform>& transforms);

/// Applies a transform: the coflows are sorted again, the result is checked, and the history
/// gets the canonical text.
/// @param workload what is changed
/// @param transform what does it
/// @throws InputError where the transform does not suit the workload
void ApplyTransform(Workload& workload, const Transform& transform);

/// Keeps some coflows. What waited for one that is dropped waits for that one's parents instead,
/// so that the rest keeps its order.
/// @param workload what is changed
/// @param keep called once for every coflow in order
void KeepCoflows(Workload& workload, const std::function<bool(const Coflow&)>& keep);

/// The parts of an argument such as `random:432:7`, for those who implement transforms. Errors
/// name the transform and its syntax.
class TransformArgument
{
  public:
    /// @param kind whose argument it is; has to be there as long as this object
    /// @param argument parts with colons in between
    TransformArgument(const TransformKind& kind, const std::string& argument);

    /// @return number of parts
    std::size_t Size() const
    {
        return m_parts.size();
    }

    /// @param part its number, from 0
    /// @return the part as text
    /// @throws InputError where there is no such part
    const std::string& Text(std::size_t part) const;

    /// @param part its number, from 0
    /// @param unit what it is a quantity of
    /// @param least the least that is allowed
    /// @param most the most that is allowed
    /// @return the part as a quantity
    /// @throws InputError where there is no such part, or it is out of bounds
    double Quantity(std::size_t part, Unit unit, double least, double most) const;

    /// Throws InputError.
    /// @param why what is wrong
    [[noreturn]] void Fail(const std::string& why) const;

  private:
    const TransformKind& m_kind;
    std::string m_argument;
    std::vector<std::string> m_parts;
};

} // namespace coflow

#endif // COFLOW_TRANSFORM_H
