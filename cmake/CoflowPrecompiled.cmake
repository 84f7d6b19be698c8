# SPDX-License-Identifier: GPL-2.0-only
#
# Precompiled headers. Half of the time of a compiler goes into headers of the standard library, of
# ns-3 and of GoogleTest, which do not change: they are compiled once per target. No header of ours
# is among them, so that a change of one compiles what includes it, and nothing else.
#
# COFLOW_PCH=OFF compiles every file with what it includes itself. utils/check-compilers does, and
# the build in an ns-3 tree: there a missing #include is found. Compiler caches do not get on with
# precompiled headers, so that OFF is the default where the compiler is launched by one.

set(coflow_pch_default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "cache")
  set(coflow_pch_default OFF)
endif()
option(COFLOW_PCH "Precompile headers of the standard library, ns-3 and GoogleTest"
       ${coflow_pch_default})

set(coflow_pch_standard
    <algorithm>
    <array>
    <cmath>
    <cstdint>
    <functional>
    <limits>
    <map>
    <memory>
    <numeric>
    <optional>
    <set>
    <span>
    <sstream>
    <string>
    <string_view>
    <tuple>
    <unordered_map>
    <utility>
    <vector>
)
set(coflow_pch_ns3
    <ns3/abort.h>
    <ns3/application.h>
    <ns3/boolean.h>
    <ns3/data-rate.h>
    <ns3/double.h>
    <ns3/enum.h>
    <ns3/event-id.h>
    <ns3/inet-socket-address.h>
    <ns3/ipv4-address.h>
    <ns3/ipv4-header.h>
    <ns3/log.h>
    <ns3/node.h>
    <ns3/node-container.h>
    <ns3/nstime.h>
    <ns3/object.h>
    <ns3/object-factory.h>
    <ns3/packet.h>
    <ns3/pointer.h>
    <ns3/simulator.h>
    <ns3/socket.h>
    <ns3/string.h>
    <ns3/tcp-socket-base.h>
    <ns3/traced-callback.h>
    <ns3/uinteger.h>
)
set(coflow_pch_test <gtest/gtest.h> <boost/random/mersenne_twister.hpp>
                    <boost/random/uniform_int_distribution.hpp>)

# coflow_precompile(<target> [STANDARD] [NS3] [TEST]): which headers a target gets.
function(coflow_precompile target)
  cmake_parse_arguments(WANTED "STANDARD;NS3;TEST" "" "" ${ARGN})
  if(NOT COFLOW_PCH)
    return()
  endif()
  set(headers)
  foreach(group STANDARD NS3 TEST)
    if(WANTED_${group})
      string(TOLOWER ${group} name)
      list(APPEND headers ${coflow_pch_${name}})
    endif()
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
