/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TIMELINE_FILE_H
#define COFLOW_TIMELINE_FILE_H

#include "ns3/coflow-installation.h"
#include "ns3/coflow-output-file.h"
#include "ns3/coflow-timeline.h"

#include <string>

namespace ns3::coflow
{

/// @param text what a user gave as --timelineWindow, such as "0.5s,2s"
/// @return begin and end
/// @throws ::coflow::InputError where the text is no such thing
Timeline::Window ParseTimelineWindow(const std::string& text);

/// A file with the Timeline of a run.
class TimelineFile
{
  public:
    /// @param name of the file
    /// @param window what is shown
    /// @param installation that plays a workload; the run has yet to begin
    /// @throws ::coflow::InputError where the file cannot be written
    TimelineFile(const std::string& name,
                 const Timeline::Window& window,
                 const CoflowInstallation& installation);

    /// @return events of the simulator that it was
    uint64_t GetNEvents() const;

    /// Writes the file; to be called once, when the run is over and the network is still there.
    /// @throws ::coflow::InputError where not all could be written
    void Write();

  private:
    ::coflow::OutputFile m_file;
    Timeline m_timeline;
};

} // namespace ns3::coflow

#endif // COFLOW_TIMELINE_FILE_H
