# SPDX-License-Identifier: GPL-2.0-only
#
# What the module is made of: one line per component, a path below the
# repository without its ending. X stands for X.h and, where there is one, X.cc.
# A new scheduler, topology, workload or discipline adds its line here.

# Ring 0: standard C++ and header-only Boost, no ns-3.
set(coflow_ring0
    model/workload/coflow-types
    model/workload/coflow-error
    model/policy/coflow-view
    model/policy/coflow-flow-table
    model/policy/coflow-parameters
    model/policy/coflow-policy
    model/policy/coflow-policy-registry
    model/policy/coflow-allocators
    model/policy/coflow-starvation-guard
    model/policy/coflow-order-policy
    model/policy/coflow-varys
    model/policy/coflow-scf
    model/policy/coflow-ncf
    model/policy/coflow-tcf
    model/policy/coflow-lcf
    model/policy/coflow-fifo
    model/policy/coflow-flow-order-policy
    model/policy/coflow-pfabric
    model/policy/coflow-edf
    model/policy/coflow-sincronia
    model/policy/coflow-varys-deadline
    model/policy/coflow-vc
    model/policy/coflow-dclas-policy
    model/policy/coflow-aalo
    model/policy/coflow-graviton
    model/policy/coflow-graviton-sf
    model/policy/coflow-dcas
    model/policy/coflow-baraat
    model/policy/coflow-fair
    model/policy/coflow-wss
    model/policy/coflow-ps-p
    model/policy/coflow-progress
    model/policy/coflow-drf
    model/policy/coflow-hug
    model/policy/coflow-nc-drf
    model/policy/coflow-bssi
    model/fluid/coflow-fluid
    model/fluid/coflow-bounds
    model/fluid/coflow-fluid-run
    model/fluid/coflow-decision-engine
    model/fluid/coflow-level-rule
    model/fluid/coflow-max-min-levels
    model/fluid/coflow-split-levels
    model/fluid/coflow-service-clocks
    model/fluid/coflow-sharing-engine
    model/fluid/coflow-priority-engine
    model/workload/coflow-facebook-trace
    model/workload/coflow-flow-csv
    model/workload/coflow-statistics
    model/workload/coflow-text
    model/workload/coflow-trace-reader
    model/workload/coflow-workload-check
)

# Ring 1: thin ns-3 objects.
set(coflow_ring1
    model/metrics/coflow-version
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
