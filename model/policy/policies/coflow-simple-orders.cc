/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-simple-orders.h"

#include "ns3/coflow-policy-registry.h"

#include <numeric>

namespace coflow
{

namespace
{

/// Registers an order.
/// @param name name on the command line
/// @param summary one line for lists
/// @param parameters parameters of the policy
/// @param key the key by which coflows are ordered
Policies::Entry
RegisterOrder(const char* name,
              const char* summary,
              std::vector<ParameterSpec> parameters,
              SimpleOrder::Key key)
{
    return Policies::Entry(
        {name,
         summary,
         Knowledge::CLAIRVOYANT,
         std::move(parameters),
         [key](const Parameters& given) { return std::make_unique<SimpleOrder>(given, key); }});
}

const Policies::Entry REGISTRATION[] = {
    // Varys, SIGCOMM 2014, section 7.4.
    RegisterOrder("scf",
                  "shortest coflow first: by the largest flow; MADD and backfill",
                  OrderPolicy::Specs(),
                  [](const ClairvoyantView& view, std::size_t row) {
                      return static_cast<double>(view.sizes[row].length);
                  }),

    // Varys, section 7.4. The number of flows is the registered one: a count of unfinished flows
    // would reverse the order during the run.
    RegisterOrder("ncf",
                  "narrowest coflow first: by the number of flows; MADD and backfill",
                  OrderPolicy::Specs(),
                  [](const ClairvoyantView& view, std::size_t row) {
                      return static_cast<double>(view.coflows[row].width);
                  }),

    // Varys, section 7.4; its "TCF" is read as the total size.
    RegisterOrder("tcf",
                  "smallest total size first, as registered; MADD and backfill",
                  OrderPolicy::Specs(),
                  [](const ClairvoyantView& view, std::size_t row) {
                      return static_cast<double>(view.sizes[row].total);
                  }),

    RegisterOrder("lcf",
                  "lightest coflow first: by the bytes left; MADD and backfill",
                  OrderPolicy::Specs(),
                  [](const ClairvoyantView& view, std::size_t row) {
                      const CoflowRow& coflow = view.coflows[row];
                      return std::accumulate(view.remaining.begin() + coflow.begin,
                                             view.remaining.begin() + coflow.end,
                                             0.0);
                  }),

    // Orchestra's FIFO between coflows (SIGCOMM 2011), as Varys, section 7.4, compares with it.
    // Rows are ordered by ready time, and OrderPolicy keeps the order of equal keys. No coflow
    // waits for ever, so there is no T/delta.
    RegisterOrder("fifo",
                  "coflows in the order in which they became ready; MADD and backfill",
                  OrderPolicy::SpecsWithoutGuard(),
                  [](const ClairvoyantView&, std::size_t) { return 0.0; }),
};

} // namespace

void
SimpleOrder::Keys(const ClairvoyantView& view,
                  const CoflowLoads& /*loads*/,
                  const PortBudget& /*budget*/,
                  std::span<double> keys) const
{
    for (std::size_t row = 0; row < keys.size(); ++row)
    {
        keys[row] = m_key(view, row);
    }
}

} // namespace coflow
