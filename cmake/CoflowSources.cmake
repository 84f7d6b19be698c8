# SPDX-License-Identifier: GPL-2.0-only
#
# What the module is made of: one line per component, a path below the
# repository without its ending. X stands for X.h and, where there is one, X.cc.
# A new scheduler, topology, workload or discipline adds its line here.

# Ring 0: standard C++ and header-only Boost, no ns-3.
set(coflow_ring0
    model/workload/coflow-types
    model/workload/coflow-error
)

# Ring 1: thin ns-3 objects.
set(coflow_ring1
    model/fabric/coflow-registry
    model/fabric/coflow-flow-hash
    model/fabric/coflow-topology
    model/fabric/coflow-fat-tree
    model/fabric/coflow-leaf-spine
    model/fabric/coflow-big-switch
    model/fabric/coflow-queue-occupancy
    model/fabric/coflow-fifo-queue-disc
    model/fabric/coflow-device-slot
    model/fabric/coflow-topology-routing
    model/fabric/coflow-fabric
    model/fabric/coflow-nodes-fabric
    model/metrics/coflow-version
)

# Ring 2: what a script writer touches.
set(coflow_ring2
    helper/coflow-fabric-helper
)

# coflow_expand(<prefix> <components...>): sets <prefix>_sources and
# <prefix>_headers, paths relative to the repository.
function(coflow_expand prefix)
  set(sources)
  set(headers)
  foreach(component IN LISTS ARGN)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${component}.h)
      message(FATAL_ERROR "cmake/CoflowSources.cmake names ${component}, "
                          "but ${component}.h does not exist")
    endif()
    list(APPEND headers ${component}.h)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${component}.cc)
      list(APPEND sources ${component}.cc)
    endif()
  endforeach()
  set(${prefix}_sources ${sources} PARENT_SCOPE)
  set(${prefix}_headers ${headers} PARENT_SCOPE)
endfunction()
