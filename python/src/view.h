/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PYTHON_VIEW_H
#define COFLOW_PYTHON_VIEW_H

#include "bindings.h"

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-view.h"

#include <map>
#include <span>
#include <string>

namespace [[gnu::visibility("hidden")]] ns3coflow
{

using ::coflow::CoflowRow;
using ::coflow::CoflowSizes;

/// Arrays of C++ that Python may look at during one call, without copies. Who keeps one for
/// longer is told so, since its memory will be gone.
class Loan
{
  public:
    /// @param name what it is called, for the message
    /// @param data first element; read-only in Python where T is const
    /// @param size number of elements
    /// @param stride from one element to the next, in elements
    /// @return a numpy array on that memory; the same one for the same name
    template <typename T>
    nb::object Lend(const char* name, T* data, std::size_t size, std::int64_t stride = 1)
    {
        auto& lent = m_lent[name];
        if (!lent.is_valid())
        {
            // The owner is not needed, but without one nanobind would copy.
            lent =
                nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, nb::none(), {stride}),
                         nb::rv_policy::reference);
        }
        return lent;
    }

    /// Ends the loan.
    /// @throws ::coflow::InputError where an array is still in use
    /// @param who the borrower, the start of the message
    void End(const std::string& who);

  private:
    std::map<std::string, nb::object> m_lent;
};

/// What any policy written in Python may look at; see ::coflow::StructureView. It is usable only
/// during the call that it is handed to.
class PyView
{
  public:
    PyView(const ::coflow::StructureView& view, const ::coflow::PortRates& capacity)
        : m_view(&view),
          m_capacity(&capacity)
    {
    }

    virtual ~PyView() = default;
    PyView(const PyView&) = delete;
    PyView& operator=(const PyView&) = delete;

    /// @throws ::coflow::InputError after the call
    const ::coflow::StructureView& Structure() const;

    /// @throws ::coflow::InputError after the call
    const ::coflow::PortRates& Capacity() const;

    /// A member of every coflow row as an array.
    template <typename T>
    nb::object RowMember(const char* name, T CoflowRow::* member)
    {
        static_assert(sizeof(CoflowRow) % sizeof(T) == 0);
        const auto rows = Structure().coflows;
        const T* first = rows.empty() ? nullptr : &(rows.data()->*member);
        return m_loan.Lend(name, first, rows.size(), sizeof(CoflowRow) / sizeof(T));
    }

    /// A span as an array.
    template <typename T>
    nb::object Lend(const char* name, std::span<T> values)
    {
        return m_loan.Lend(name, values.data(), values.size());
    }

    /// Sums up an array with one value per flow position, coflow by coflow.
    nb::object SumByCoflow(const Array<double>& values) const;

    /// Adds max-min fair rates, class by class, to those of a call.
    /// @param classes per coflow row: 0 is served first
    /// @param rates per flow position; added to
    void ServeClasses(const Array<std::uint32_t>& classes,
                      nb::ndarray<double, nb::ndim<1>, nb::c_contig> rates) const;

    /// Ends the call.
    /// @param who the policy, for messages
    void Expire(const std::string& who)
    {
        m_view = nullptr;
        m_loan.End(who);
    }

  protected:
    Loan m_loan; ///< arrays that Python has

  private:
    const ::coflow::StructureView* m_view;
    const ::coflow::PortRates* m_capacity;
};

/// What a non-clairvoyant policy may look at: nothing else.
class PyAttainedView final : public PyView
{
    using PyView::PyView;
};

/// What a clairvoyant policy may look at: sizes too.
class PyClairvoyantView final : public PyView
{
  public:
    /// @param loads remaining bytes per port, where they are known already
    PyClairvoyantView(const ::coflow::ClairvoyantView& view,
                      const ::coflow::PortRates& capacity,
                      const ::coflow::CoflowLoads* loads = nullptr)
        : PyView(view, capacity),
          m_sizes(&view),
          m_loads(loads)
    {
    }

    /// The whole view; throws as Structure() does.
    const ::coflow::ClairvoyantView& Sizes() const
    {
        Structure();
        return *m_sizes;
    }

    /// A member of the sizes of every coflow as an array.
    nb::object SizeMember(const char* name, std::int64_t CoflowSizes::* member);

    /// Gamma of every coflow, with all ports free, in seconds; a new array.
    nb::object Gamma() const;

    /// Rates by MADD and backfill in an order; see ::coflow::OrderPolicy.
    void ServeInOrder(const Array<std::uint32_t>& order,
                      nb::ndarray<double, nb::ndim<1>, nb::c_contig> rates,
                      bool backfill) const;

  private:
    const ::coflow::ClairvoyantView* m_sizes;
    const ::coflow::CoflowLoads* m_loads;
};

} // namespace ns3coflow

#endif // COFLOW_PYTHON_VIEW_H
