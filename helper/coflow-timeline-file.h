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

/// @param text value of --timelineWindow, such as "0.5s,2s"
/// @return begin and end
/// @throws ::coflow::InputError where the text is not two times with the begin before the end
Timeline::Window ParseTimelineWindow(const std::string& text);

/// A file with the Timeline of a run.
class TimelineFile
{
  public:
    /// @param name name of the file
    /// @param window time span of the timeline
    /// @param installation the installation, which plays a workload. The run has not begun
    /// @throws ::coflow::InputError where the file cannot be written
    TimelineFile(const std::string& name,
                 const Timeline::Window& window,
                 const CoflowInstallation& installation);

    /// @return number of simulator events that the timeline has caused
    uint64_t GetNEvents() const;

    /// Writes the file; to be called once, after the run and before the network is destroyed.
    /// @throws ::coflow::InputError where the file could not be written
    void Write();

  private:
    ::coflow::OutputFile m_file;
    Timeline m_timeline;
};

} // namespace ns3::coflow

#endif // COFLOW_TIMELINE_FILE_H
