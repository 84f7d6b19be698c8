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
    model/metrics/coflow-version
    model/transport/coflow-allowance
    model/transport/coflow-flow-header
    model/transport/coflow-flow-key
    model/transport/coflow-sink
    model/transport/coflow-sink-connection
    model/transport/coflow-source
    model/transport/coflow-source-connection
    model/transport/coflow-token-bucket
    model/transport/coflow-transport-profile
)

# Ring 2: what a script writer touches.
set(coflow_ring2
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
