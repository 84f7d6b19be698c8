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
/// The script makes nodes, links, addresses and routes, with any helpers. InstalledNetwork reads
/// the addresses and rates from the nodes. Where a node or device lacks something, Install() throws
/// ::coflow::InputError before the run begins. The message names the node, the device and the
/// function that the script has to call. A script need not catch the error.
///
/// Installed objects stay until Simulator::Destroy(), even where the helper is destroyed earlier. A
/// helper installs once. Another helper may install another scheduler on other nodes.
class CoflowHelper
{
  public:
    CoflowHelper();

    /// Chooses the scheduler; the default is "fair", plain TCP.
    /// @param scheduler a name such as "varys" (see GetSchedulerTypes()), or a class such as
    ///        "ns3::coflow::DcasScheduler". A script may register its own class by COFLOW_REGISTER
    /// @throws ::coflow::InputError where no scheduler has the name
    void SetScheduler(const std::string& scheduler);

    /// Chooses the scheduler, and sets parameters of the scheduler, of its parts or of its policy,
    /// as Set() does.
    /// @param scheduler name or class, as above
    /// @param name name of a parameter
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

    /// Sets a parameter of the scheduler, its policy, the transport, the control plane or the
    /// workload driver.
    /// @param name name of the parameter, as an option of coflow-replay ("minRto") or as an
    ///        attribute ("MinRto")
    /// @param value value as text, in the form of the options of coflow-replay, such as "10ms"
    void Set(const std::string& name, const std::string& value);

    /// Sets the same parameters to a value of an ns-3 type.
    /// @param name name of the parameter, as above
    /// @param value the value. A parameter with named choices takes a StringValue
    void Set(const std::string& name, const AttributeValue& value);

    /// Sets the node on which the coordinator runs. Schedulers without a coordinator ignore the
    /// node. The default is the last host.
    /// @param node any node with an IPv4 stack. A node that is not among the hosts of Install()
    ///        becomes an additional host with the highest number. Workloads do not use this host
    void SetCoordinator(Ptr<Node> node)
    {
        m_coordinator = node;
    }

    /// Sets the address by which flows reach a host. Required where the host has several addresses.
    /// @param host one of the hosts of Install()
    /// @param address one of the host's own addresses
    void SetAddress(Ptr<Node> host, Ipv4Address address);

    /// Sets the rates of a host's port. By default, the rates are the DataRate of the host's device
    /// and of the device at the other end of the channel. Schedulers that compute rates, such as
    /// Varys, use these rates.
    /// @param host a host
    /// @param up the rate to the network
    /// @param down the rate from the network
    void SetRates(Ptr<Node> host, DataRate up, DataRate down);

    /// Sets the share of a host's port that coflows may use, where other traffic uses the rest. A
    /// script may also call this function during a run. Then the host's daemon reports the share to
    /// the coordinator with its next heartbeat. Schedulers whose coordinator computes rates, such
    /// as Varys, use the share. Gamma and other bounds in results do not depend on the share.
    /// @param host a host
    /// @param share share of the rates of the host's port, 0 to 1; the default is 1
    /// @throws ::coflow::InputError where the share is out of range. Where the node is no host,
    ///         Install() throws the error. After Install(), this function throws the error
    void SetAvailableShare(Ptr<Node> host, double share);

    /// @param scale scale of the workload: the factor by which the defaults of all parameters that
    ///        scale with the sizes of coflows are multiplied. The default is 1
    void SetScale(double scale);

    /// @param check whether Install() checks that hosts have routes to each other; the default is
    ///        true. Set false for routing protocols that find routes during the run
    void SetCheckRoutes(bool check)
    {
        m_checkRoutes = check;
    }

    /// @param stop whether the simulation stops when a workload has finished; the default is true
    void SetStopWhenComplete(bool stop)
    {
        m_stopWhenComplete = stop;
    }

    /// @param queueDisc the queue disc that InstallQueueDiscs() installs: a class, with or without
    ///        values of attributes in brackets, such as
    ///        "ns3::coflow::FifoQueueDisc[MaxSize=1MiB]". The default is the queue disc that the
    ///        scheduler needs. Where the scheduler needs none, the default is
    ///        ns3::coflow::FifoQueueDisc, which sets ECN marks as DCTCP needs them
    void SetQueueDisc(const std::string& queueDisc)
    {
        m_queueDisc = queueDisc;
    }

    /// Makes Install() put a queue disc on each of the given devices; to be called before
    /// Install(). Install() first removes the present queue discs of these devices. It also limits
    /// the queue inside the device to one packet, so that all other packets wait in the queue disc.
    /// @param devices devices of hosts, and of switches between hosts. Their nodes have IPv4
    void InstallQueueDiscs(const NetDeviceContainer& devices);

    /// Makes Install() put a queue disc on every device between the hosts. Install() finds the
    /// devices by following channels, so that a script need not keep them.
    void InstallQueueDiscs();

    /// Installs the scheduler; to be called once.
    /// @param hosts nodes with an IPv4 stack, addresses and routes. The first node is host 0 in
    ///        files, the next one host 1
    /// @return the installed objects
    /// @throws ::coflow::InputError where a node or device lacks something that the scheduler needs
    Ptr<CoflowInstallation> Install(const NodeContainer& hosts);

    /// Installs applications that transfer the coflows of a workload.
    /// @param workload the workload: read from a file (ReadTrace()), generated (Generate()), or
    ///        filled in by the script
    /// @param hosts the workload's hosts 0, 1, ...: nodes on which the scheduler is installed
    /// @throws ::coflow::InputError where the workload is not valid (CheckWorkload()), where it has
    ///         more hosts than there are nodes, or where the scheduler is not installed on one of
    ///         the nodes
    void InstallWorkload(const ::coflow::Workload& workload, const NodeContainer& hosts);

    /// @param node a host on which a scheduler is installed
    /// @return the interface by which applications on this host register and transfer coflows
    static Ptr<CoflowClient> GetClient(Ptr<Node> node);

    /// Assigns random streams; to be called after Install().
    /// @param stream first random stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// @return the records of the workload's coflows so far, in the order of the workload
    const std::vector<::coflow::CoflowRecord>& GetCoflowRecords() const;

    /// @return the records of the workload's flows so far, in the order of the workload
    const std::vector<::coflow::FlowRecord>& GetFlowRecords() const;

    /// @return the result of the run so far, with its summary
    RunOutcome GetOutcome() const;

    /// Prints a table of CCTs, as coflow-replay does.
    /// @param out the stream
    void Print(std::ostream& out) const;

    /// Writes coflows.csv, flows.csv and summary.json, as coflow-replay does; to be called before
    /// Simulator::Destroy().
    /// @param folder the folder of the files; the folder is created where it does not exist
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

    /// @param needed the queue disc that the scheduler needs; empty: any
    /// @param product rate x round trip, in bytes, from which thresholds and limits follow
    ObjectFactory MakeQueueDisc(const std::string& needed, uint64_t product) const;
    const CoflowInstallation& GetInstalled() const;

    ExperimentConfig m_config;
    InstalledNetwork::Given m_given;
    Ptr<Node> m_coordinator; ///< node of the coordinator; null: the last host
    bool m_checkRoutes{true};
    bool m_stopWhenComplete{true};
    std::string m_queueDisc; ///< SetQueueDisc(); empty: the queue disc that the scheduler needs
    NetDeviceContainer m_queueDiscDevices;
    std::string m_otherQueueDiscs;          ///< InstalledNetwork::DescribeOtherQueueDiscs()
    bool m_queueDiscsEverywhere{false};     ///< InstallQueueDiscs() of all devices
    Ptr<CoflowInstallation> m_installation; ///< after Install()
    ProcessCost m_atInstall;                ///< cost of the process when Install() returned
};

} // namespace ns3::coflow

#endif // COFLOW_HELPER_H
