# SPDX-License-Identifier: GPL-2.0-only
#
# What the module is made of: one line per component, a path below the
# repository without its ending. X stands for X.h, X.cc or both.
# A new scheduler, topology, workload or discipline adds its line here.

# Ring 0: standard C++ and header-only Boost, no ns-3.
set(coflow_ring0
    model/workload/coflow-arrivals
    model/workload/coflow-collective-generators
    model/workload/coflow-deadline-transform
    model/workload/coflow-error
    model/workload/coflow-facebook-trace
    model/workload/coflow-fb-like-generator
    model/workload/coflow-flow-csv
    model/workload/coflow-generator
    model/workload/coflow-mix-generators
    model/workload/coflow-nc-drf-table3-generator
    model/workload/coflow-parameter
    model/workload/coflow-pattern-generators
    model/workload/coflow-quantity
    model/workload/coflow-random
    model/workload/coflow-registry
    model/workload/coflow-remap-transform
    model/workload/coflow-scale-transforms
    model/workload/coflow-select-transforms
    model/workload/coflow-shuffle
    model/workload/coflow-statistics
    model/workload/coflow-text
    model/workload/coflow-trace-reader
    model/workload/coflow-transform
    model/workload/coflow-types
    model/workload/coflow-workload-check
    model/result/coflow-format
    model/result/coflow-json
    model/result/coflow-record
    model/result/coflow-result-files
    model/result/coflow-run-sample
    model/result/coflow-run-sampler
    model/result/coflow-summary
    model/result/coflow-text-table
    model/policy/coflow-aalo
    model/policy/coflow-allocators
    model/policy/coflow-attained-ledger
    model/policy/coflow-baraat
    model/policy/coflow-bssi
    model/policy/coflow-class-filler
    model/policy/coflow-dcas
    model/policy/coflow-dclas-policy
    model/policy/coflow-drf
    model/policy/coflow-edf
    model/policy/coflow-fair
    model/policy/coflow-fifo
    model/policy/coflow-flow-order-policy
    model/policy/coflow-flow-table
    model/policy/coflow-graviton
    model/policy/coflow-graviton-sf
    model/policy/coflow-hug
    model/policy/coflow-lcf
    model/policy/coflow-ledger
    model/policy/coflow-ledger-table
    model/policy/coflow-max-min
    model/policy/coflow-max-min-policy
    model/policy/coflow-nc-drf
    model/policy/coflow-ncf
    model/policy/coflow-order-policy
    model/policy/coflow-pfabric
    model/policy/coflow-policy
    model/policy/coflow-policy-registry
    model/policy/coflow-pooled-leftovers
    model/policy/coflow-port-index
    model/policy/coflow-progress
    model/policy/coflow-ps-p
    model/policy/coflow-residual-capacity
    model/policy/coflow-scf
    model/policy/coflow-sincronia
    model/policy/coflow-small-rates
    model/policy/coflow-starvation-guard
    model/policy/coflow-tcf
    model/policy/coflow-triggers
    model/policy/coflow-varys
    model/policy/coflow-varys-deadline
    model/policy/coflow-vc
    model/policy/coflow-view
    model/policy/coflow-wss
    model/fluid/coflow-bounds
    model/fluid/coflow-bypass-flows
    model/fluid/coflow-control-model
    model/fluid/coflow-decision-engine
    model/fluid/coflow-flow-scan
    model/fluid/coflow-fluid
    model/fluid/coflow-fluid-run
    model/fluid/coflow-level-rule
    model/fluid/coflow-max-min-levels
    model/fluid/coflow-priority-engine
    model/fluid/coflow-progress-engine
    model/fluid/coflow-service-clocks
    model/fluid/coflow-sharing-engine
    model/fluid/coflow-split-levels
)

# Ring 1: thin ns-3 objects.
set(coflow_ring1
    model/common/coflow-flow-key
    model/common/coflow-heartbeat
    model/common/coflow-named-type
    model/common/coflow-process-cost
    model/common/coflow-version
    model/fabric/coflow-big-switch
    model/fabric/coflow-device-slot
    model/fabric/coflow-discipline-queue-disc
    model/fabric/coflow-ds-field
    model/fabric/coflow-explicit-rate
    model/fabric/coflow-explicit-rate-queue-disc
    model/fabric/coflow-express-fabric
    model/fabric/coflow-fabric
    model/fabric/coflow-fabric-channel
    model/fabric/coflow-fabric-listener
    model/fabric/coflow-fabric-net-device
    model/fabric/coflow-fat-tree
    model/fabric/coflow-fifo-lm
    model/fabric/coflow-fifo-lm-queue-disc
    model/fabric/coflow-fifo-ports
    model/fabric/coflow-fifo-queue-disc
    model/fabric/coflow-flow-hash
    model/fabric/coflow-frame
    model/fabric/coflow-host-egress
    model/fabric/coflow-host-rates
    model/fabric/coflow-host-stack
    model/fabric/coflow-key-bands
    model/fabric/coflow-leaf-spine
    model/fabric/coflow-nodes-fabric
    model/fabric/coflow-packet-class
    model/fabric/coflow-packet-class-tag
    model/fabric/coflow-packet-classifier
    model/fabric/coflow-pfabric-queue
    model/fabric/coflow-pfabric-queue-disc
    model/fabric/coflow-port-discipline
    model/fabric/coflow-prefix-tree
    model/fabric/coflow-queue-occupancy
    model/fabric/coflow-queue-ports
    model/fabric/coflow-rate-allocator
    model/fabric/coflow-rate-request
    model/fabric/coflow-slot-pool
    model/fabric/coflow-strict-priority
    model/fabric/coflow-strict-priority-queue-disc
    model/fabric/coflow-task-queue-disc
    model/fabric/coflow-topology
    model/fabric/coflow-topology-routing
    model/fabric/coflow-wire-times
    model/transport/coflow-allowance
    model/transport/coflow-direct-tcp-socket
    model/transport/coflow-flow-header
    model/transport/coflow-host-tcp
    model/transport/coflow-nic-scheduler
    model/transport/coflow-send-queues
    model/transport/coflow-sink
    model/transport/coflow-sink-connection
    model/transport/coflow-source
    model/transport/coflow-source-connection
    model/transport/coflow-source-writing
    model/transport/coflow-tcp-socket
    model/transport/coflow-token-bucket
    model/transport/coflow-transport-profile
    model/control/coflow-baraat-rate-agent
    model/control/coflow-baraat-scheduler
    model/control/coflow-dcas-agent
    model/control/coflow-dcas-message
    model/control/coflow-dcas-rules
    model/control/coflow-dcas-scheduler
    model/control/coflow-edf-scheduler
    model/control/coflow-fair-scheduler
    model/control/coflow-host-agent
    model/control/coflow-pfabric-scheduler
    model/control/coflow-priority-scheduler
    model/control/coflow-central-messages
    model/control/coflow-central-protocol
    model/control/coflow-central-scheduler
    model/control/coflow-client
    model/control/coflow-control-endpoint
    model/control/coflow-control-header
    model/control/coflow-control-ideal
    model/control/coflow-control-message
    model/control/coflow-control-network
    model/control/coflow-control-plane
    model/control/coflow-control-routing
    model/control/coflow-control-tcp
    model/control/coflow-control-transport
    model/control/coflow-control-udp
    model/control/coflow-control-udp-connection
    model/control/coflow-coordinated-scheduler
    model/control/coflow-coordinator
    model/control/coflow-coordinator-messages
    model/control/coflow-coordinator-type
    model/control/coflow-daemon
    model/control/coflow-daemon-outbox
    model/control/coflow-daemon-rest
    model/control/coflow-daemon-type
    model/control/coflow-datagram-header
    model/control/coflow-dclas-coordinator
    model/control/coflow-dclas-daemon
    model/control/coflow-dclas-daemon-control
    model/control/coflow-dclas-messages
    model/control/coflow-dclas-scheduler
    model/control/coflow-dclas-settings
    model/control/coflow-fair-scheduler
    model/control/coflow-host-agent
    model/control/coflow-rate-dispatcher
    model/control/coflow-run-queue
    model/control/coflow-schedule-latency
    model/control/coflow-scheduler
    model/control/coflow-scheduler-registry
    model/control/coflow-traffic-meter
    model/control/coflow-workload-driver
    model/metrics/coflow-progress-reporter
    model/metrics/coflow-queue-sampler
    model/metrics/coflow-tracker
    model/metrics/coflow-traffic-sampler
)

# Ring 2: what a script writer touches.
set(coflow_ring2
    helper/coflow-attributes
    helper/coflow-comparison
    helper/coflow-description
    helper/coflow-engine
    helper/coflow-engine-parameters
    helper/coflow-experiment
    helper/coflow-fabric-helper
    helper/coflow-fluid-experiment
    helper/coflow-option-table
    helper/coflow-packet-cluster
    helper/coflow-packet-experiment
    helper/coflow-parts
    helper/coflow-replay-options
    helper/coflow-run
    helper/coflow-run-report
)

# coflow_expand(<prefix> <components...>): sets <prefix>_sources and
# <prefix>_headers, paths relative to the repository.
function(coflow_expand prefix)
  set(sources)
  set(headers)
  foreach(component IN LISTS ARGN)
    set(found FALSE)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${component}.h)
      list(APPEND headers ${component}.h)
      set(found TRUE)
    endif()
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${component}.cc)
      list(APPEND sources ${component}.cc)
      set(found TRUE)
    endif()
    if(NOT found)
      message(FATAL_ERROR "cmake/CoflowSources.cmake names ${component}, "
                          "but there is neither ${component}.h nor ${component}.cc")
    endif()
  endforeach()
  set(${prefix}_sources ${sources} PARENT_SCOPE)
  set(${prefix}_headers ${headers} PARENT_SCOPE)
endfunction()
