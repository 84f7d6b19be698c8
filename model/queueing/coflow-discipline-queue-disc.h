/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DISCIPLINE_QUEUE_DISC_H
#define COFLOW_DISCIPLINE_QUEUE_DISC_H

#include "ns3/coflow-port-discipline.h"
#include "ns3/queue-disc.h"

#include <memory>
#include <vector>

namespace ns3::coflow
{

class DisciplineQueue;

/// A PortDiscipline as a queue disc, for ports of the nodes fabric or of any ns-3 node. On the
/// express fabric, it only says which discipline its ports have.
class DisciplineQueueDisc : public QueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    DisciplineQueueDisc();
    ~DisciplineQueueDisc() override;

    /// Throws ::coflow::InputError where an attribute has a value that cannot be.
    /// @return a new discipline with the attributes' values
    virtual std::unique_ptr<PortDiscipline> CreateDiscipline() const = 0;

    /// @return what each band has done so far, first band first; empty where there are none
    std::vector<BandStatistics> GetBandStatistics() const;

    /// Tells the discipline the rate of the port's wire.
    void SetLinkRate(DataRate rate);

    // Reasons of drops and marks, in QueueDisc::Stats and in traces.
    static constexpr const char* REFUSED_DROP = "Refused by discipline";       ///< on arrival
    static constexpr const char* PUSHED_OUT_DROP = "Pushed out by discipline"; ///< later
    static constexpr const char* DISCIPLINE_MARK = "Marked by discipline";     ///< ECN

  protected:
    void DoDispose() override;

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    DataRate m_linkRate; ///< of the port's wire
    std::unique_ptr<PortDiscipline> m_discipline;
    Ptr<DisciplineQueue> m_queue; ///< owns the packets
};

} // namespace ns3::coflow

#endif // COFLOW_DISCIPLINE_QUEUE_DISC_H
