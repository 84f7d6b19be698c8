/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DISCIPLINE_QUEUE_DISC_H
#define COFLOW_DISCIPLINE_QUEUE_DISC_H

#include "ns3/coflow-band-counters.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/queue-disc.h"

#include <memory>
#include <vector>

namespace ns3::coflow
{

class DisciplineQueue;

/// A PortDiscipline as a queue disc, for ports of the fabric `nodes` (ns-3 nodes and devices) or of
/// any ns-3 node. On the fabric `express`, the queue disc only makes the discipline of each port.
///
/// Each discipline has a subclass, which declares the attributes, makes the discipline, and is
/// registered with COFLOW_REGISTER. Tests that compare fabrics run with all registered subclasses.
class DisciplineQueueDisc : public QueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    DisciplineQueueDisc();
    ~DisciplineQueueDisc() override;

    /// @return a new discipline with the values of the attributes
    /// @throws ::coflow::InputError where an attribute has a value that is not allowed
    virtual std::unique_ptr<PortDiscipline> CreateDiscipline() const = 0;

    /// @return counters by band; empty where there are no bands
    std::vector<BandStatistics> GetBandStatistics() const;

    /// Sets the rate of the port's wire at the discipline.
    void SetLinkRate(DataRate rate);

    /// Reason of marks in QueueDisc::Stats and in traces. PortDiscipline has the reasons of drops.
    static constexpr const char* DISCIPLINE_MARK = "Marked by discipline";

  protected:
    void DoDispose() override;

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    DataRate m_linkRate; ///< rate of the port's wire
    std::unique_ptr<PortDiscipline> m_discipline;
    BandCounters m_bands;
    Ptr<DisciplineQueue> m_queue; ///< container of the waiting packets
};

} // namespace ns3::coflow

#endif // COFLOW_DISCIPLINE_QUEUE_DISC_H
