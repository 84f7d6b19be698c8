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

/// A step that changes a workload, with its argument.
struct Transform
{
    std::string text;                     ///< canonical text, `first=100`
    std::function<void(Workload&)> apply; ///< changes the workload; called by ApplyTransform()
    std::string input{};                  ///< file that the step reads; empty: none
};

/// A kind of transform.
///
/// To add a kind, write a file with an object of the type TransformEntry, and add a line for it in
/// CMake.
struct TransformKind
{
    static constexpr const char* KIND = "transform"; ///< name of the kind in messages

    std::string name;   ///< name in options
    std::string syntax; ///< form of the argument after the equals sign, `N`
    std::string help;   ///< one line

    /// Parses the argument after the equals sign; throws InputError.
    std::function<Transform(const TransformKind& kind, const std::string& argument)> parse;
};

/// Registers a kind of transform under its name.
using TransformEntry = Registry<TransformKind>::Entry;

/// All kinds of transforms, by name.
using TransformKinds = Registry<TransformKind>;

/// Parses transforms NAME=ARGUMENT, separated by commas, in the order in which they apply.
/// @param text such as `first=100,scale-bytes=0.1`
/// @return the transforms, in order
/// @throws InputError for an unknown name, and for an argument that is not allowed
std::vector<Transform> ParseTransforms(const std::string& text);

/// Applies transforms in order; see ApplyTransform().
/// @param workload the workload, which is changed
/// @param transforms the transforms, in order
/// @throws InputError where the transforms remove all coflows
void ApplyTransforms(Workload& workload, const std::vector<Transform>& transforms);

/// Applies a transform. Then the coflows are sorted, the workload is checked, and the canonical
/// text is added to the history.
/// @param workload the workload, which is changed
/// @param transform the transform
/// @throws InputError where the workload is not valid after the transform, or the transform refuses
///         the workload
void ApplyTransform(Workload& workload, const Transform& transform);

/// Keeps some coflows and removes all others. A child of a removed coflow becomes a child of that
/// coflow's parents, so that the kept coflows keep their order.
/// @param workload the workload, which is changed
/// @param keep returns whether a coflow is kept; called once for every coflow, in order
void KeepCoflows(Workload& workload, const std::function<bool(const Coflow&)>& keep);

/// The parts of an argument such as `random:432:7`, for implementations of transforms. Errors name
/// the transform and its syntax.
class TransformArgument
{
  public:
    /// @param kind the kind of transform, which must exist as long as this object
    /// @param argument parts, separated by colons
    TransformArgument(const TransformKind& kind, const std::string& argument);

    /// @return number of parts
    std::size_t Size() const
    {
        return m_parts.size();
    }

    /// Checks the number of parts.
    /// @param size the only allowed number
    /// @param why the reason
    /// @throws InputError where there is another number of parts
    void RequireSize(std::size_t size, const std::string& why) const
    {
        if (m_parts.size() != size)
        {
            Fail(why);
        }
    }

    /// @param part number of the part, from 0
    /// @return the part as text
    /// @throws InputError where there is no such part
    const std::string& Text(std::size_t part) const;

    /// @param part number of the part, from 0
    /// @param unit unit of the quantity
    /// @param least the smallest allowed value
    /// @param most the largest allowed value
    /// @return the part as a quantity
    /// @throws InputError where there is no such part, or where its value is not allowed
    double Quantity(std::size_t part, Unit unit, double least, double most) const;

    /// Throws InputError.
    /// @param why the reason
    [[noreturn]] void Fail(const std::string& why) const;

  private:
    const TransformKind& m_kind;
    std::string m_argument;
    std::vector<std::string> m_parts;
};

} // namespace coflow

#endif // COFLOW_TRANSFORM_H
