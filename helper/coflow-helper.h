/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HELPER_H
#define COFLOW_HELPER_H

#include "ns3/attribute.h"
#include "ns3/coflow-client.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-installation.h"
#include "ns3/coflow-installed-network.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-run.h"
#include "ns3/coflow-types.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// Puts a coflow scheduler on the nodes of any ns-3 script:
///
///     CoflowHelper coflows;
///     coflows.SetScheduler("varys");
///     coflows.InstallQueueDiscs();               // at all devices between the hosts
///     coflows.Install(hosts);                    // nodes with addresses and routes
///     coflows.InstallWorkload(workload, hosts);  // or applications, through CoflowClient
///     Simulator::Run();
///     coflows.WriteFiles("result");
///     Simulator::Destroy();
///
/// Nodes, links, addresses and routes are the script's, from whatever helpers: see InstalledNetwork
/// for what is read from them. What is missing is a ::coflow::InputError of Install(), before the
/// run begins, which names node and device and says what to call. A script needs not catch it.
///
/// What is installed stays until Simulator::Destroy(), also when the helper is gone. A helper
/// installs once; another helper may install another scheduler on other nodes.
class CoflowHelper
{
  public:
    CoflowHelper();

    /// Chooses the scheduler; the default is "fair", plain TCP.
    /// @param scheduler a name such as "varys" (see GetSchedulerTypes()), or a class such as
    ///        "ns3::coflow::DcasScheduler", also one that the script has made known by
    ///        COFLOW_REGISTER
    /// @throws ::coflow::InputError where there is none of that name
    void SetScheduler(const std::string& scheduler);

    /// Chooses the scheduler and sets parameters of it, of its parts or of its policy, as Set()
    /// does.
    /// @param scheduler as above
    /// @param name of a parameter
    /// @param value its value
    /// @param more name, value, name, value, ...
    template <typename... Args>
    void SetScheduler(const std::string& scheduler,
                      const std::string& name,
                      const AttributeValue& value,
                      const Args&... more)
    {
        SetScheduler(scheduler);
        SetAll(name, value, more...);
    }

    /// Sets a parameter of whatever part has it: scheduler, policy, transport, control plane,
    /// workload driver.
    /// @param name as the options of coflow-replay, such as "minRto"; or as attributes, "MinRto"
    /// @param value as the options of coflow-replay take it, such as "10ms"
    void Set(const std::string& name, const std::string& value);

    /// The same with a value of ns-3.
    /// @param name as before
    /// @param value an ns-3 value; names of choices as a StringValue
    void Set(const std::string& name, const AttributeValue& value);

    /// Says where the coordinator runs, of schedulers that have one; others do not use it. The
    /// default is the last host.
    /// @param node any node with an IPv4 stack. One that is not among the hosts of Install()
    ///        becomes another host, the last one, which no workload names
    void SetCoordinator(Ptr<Node> node)
    {
        m_coordinator = node;
    }

    /// Says which address of a host flows use; needed where it has several.
    /// @param host one of the hosts of Install()
    /// @param address one of its own
    void SetAddress(Ptr<Node> host, Ipv4Address address);

    /// Says how fast a host's port is, in place of the DataRate of its device and of the other end
    /// of its channel. Schedulers that hand out rates go by it, such as Varys.
    /// @param host a host
    /// @param up the rate to the network
    /// @param down the rate from the network
    void SetRates(Ptr<Node> host, DataRate up, DataRate down);

    /// Says what coflows may have of a host's port, where other traffic has the rest. May be called
    /// in a run, too: the host's daemon tells the coordinator with its next heartbeat. It matters
    /// to schedulers that hand out rates at a coordinator, such as Varys; what Gamma and other
    /// bounds in results are computed from does not change.
    /// @param host a host
    /// @param share of the rates of its port, 0 to 1; the default is 1
    /// @throws ::coflow::InputError where the share is not allowed, or after Install() the node is
    ///         no host; else Install() throws
    void SetAvailableShare(Ptr<Node> host, double share);

    /// @param scale what defaults of parameters that are made for coflows of a size are multiplied
    ///        by: the scale of the workload. The default is 1
    void SetScale(double scale);

    /// @param check whether Install() sees that hosts have routes to each other; the default is
    ///        true. Routing protocols that find routes later need false
    void SetCheckRoutes(bool check)
    {
        m_checkRoutes = check;
    }

    /// @param stop whether the simulation stops when a workload has finished; the default is true
    void SetStopWhenComplete(bool stop)
    {
        m_stopWhenComplete = stop;
    }

    /// @param queueDisc what InstallQueueDiscs() installs: a class, with values for its attributes
    ///        if need be, such as "ns3::coflow::FifoQueueDisc[MaxSize=1MiB]". The default is what
    ///        the scheduler needs, else ns3::coflow::FifoQueueDisc, which gives ECN marks as DCTCP
    ///        wants them
    void SetQueueDisc(const std::string& queueDisc)
    {
        m_queueDisc = queueDisc;
    }

    /// Has Install() give devices a queue disc; to be called before. Queue discs that they have are
    /// removed, and the queue inside the device gets room for one packet, so that all others wait
    /// in the disc.
    /// @param devices those of hosts and switches between hosts, with IPv4 on their nodes
    void InstallQueueDiscs(const NetDeviceContainer& devices);

    /// The same with all devices between the hosts of Install(), which finds them by following
    /// channels. A script need not keep its devices for this.
    void InstallQueueDiscs();

    /// Installs the scheduler; to be called once.
    /// @param hosts nodes with an IPv4 stack, addresses and routes. Their order is that of host
    ///        numbers in files
    /// @return what was installed, for those who want to look inside
    /// @throws ::coflow::InputError where something is missing
    Ptr<CoflowInstallation> Install(const NodeContainer& hosts);

    /// Has applications move the coflows of a workload.
    /// @param workload read from a file (ReadTrace()), generated (Generate()), or filled in by the
    /// script
    /// @param hosts its host 0, 1, ...: nodes on which the scheduler is installed
    /// @throws ::coflow::InputError where it is not a valid workload (CheckWorkload()), has more
    ///         hosts than there are nodes, or a node is none of the scheduler's
    void InstallWorkload(const ::coflow::Workload& workload, const NodeContainer& hosts);

    /// @param node a host on which a scheduler is installed
    /// @return what applications on it call to have coflows moved
    static Ptr<CoflowClient> GetClient(Ptr<Node> node);

    /// @param stream first random stream to use; after Install()
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// @return the records of the workload's coflows so far, in its order
    const std::vector<::coflow::CoflowRecord>& GetCoflowRecords() const;

    /// @return the records of the workload's flows so far, in its order
    const std::vector<::coflow::FlowRecord>& GetFlowRecords() const;

    /// @return the result of the run so far, as programs and files have it
    RunOutcome GetOutcome() const;

    /// Prints a table of CCTs, as coflow-replay does.
    /// @param out where to
    void Print(std::ostream& out) const;

    /// Writes coflows.csv, flows.csv and summary.json, as coflow-replay does; before
    /// Simulator::Destroy().
    /// @param folder made where it does not exist
    /// @throws ::coflow::InputError where the files cannot be written
    void WriteFiles(const std::string& folder) const;

  private:
    void SetAll()
    {
    }

    template <typename... Args>
    void SetAll(const std::string& name, const AttributeValue& value, const Args&... more)
    {
        Set(name, value);
        SetAll(more...);
    }

    /// @param needed by the scheduler; empty: any
    /// @param product rate x round trip, which sizes follow
    ObjectFactory MakeQueueDisc(const std::string& needed, uint64_t product) const;
    const CoflowInstallation& GetInstalled() const;

    ExperimentConfig m_config;
    InstalledNetwork::Given m_given;
    Ptr<Node> m_coordinator; ///< or none
    bool m_checkRoutes{true};
    bool m_stopWhenComplete{true};
    std::string m_queueDisc; ///< SetQueueDisc(); empty: what the scheduler needs
    NetDeviceContainer m_queueDiscDevices;
    std::string m_otherQueueDiscs;          ///< InstalledNetwork::DescribeOtherQueueDiscs()
    bool m_queueDiscsEverywhere{false};     ///< InstallQueueDiscs() of all devices
    Ptr<CoflowInstallation> m_installation; ///< after Install()
    ProcessCost m_atInstall;                ///< what the process had used when that ended
};

} // namespace ns3::coflow

#endif // COFLOW_HELPER_H
