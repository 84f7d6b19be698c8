# SPDX-License-Identifier: GPL-2.0-only
#
# The build outside an ns-3 source tree: libraries, examples, tests, benchmarks.

option(COFLOW_TESTS "Build the tests" ON)
option(COFLOW_BENCH "Build the benchmarks (needs Google Benchmark)" OFF)
option(COFLOW_FUZZ "Build the fuzz targets with libFuzzer (needs Clang)" OFF)
option(COFLOW_PYTHON "Build the extension module of the Python package (needs nanobind)" OFF)
option(COFLOW_WERROR "Treat warnings as errors" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

include(CoflowNs3)
include(CoflowDependencies)
coflow_provide_ns3()
coflow_provide_boost()
find_package(Threads REQUIRED) # Heartbeat measures real time in a thread
include(CoflowPrecompiled)
include(CoflowUnity)
include(CoflowProfile)

# Every header under ns3/, as an installed or in-tree module has them.
set(coflow_include_dir ${CMAKE_BINARY_DIR}/include)
file(REMOVE_RECURSE ${coflow_include_dir}/ns3)
file(MAKE_DIRECTORY ${coflow_include_dir}/ns3)
set(module_header "#pragma once\n")
foreach(header IN LISTS coflow_headers)
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${header} ${coflow_include_dir}/ns3/${name} SYMBOLIC)
  string(APPEND module_header "#include \"ns3/${name}\"\n")
endforeach()
file(WRITE ${coflow_include_dir}/ns3/coflow-module.h ${module_header})

# With warnings as errors also those that an ns-3 tree makes errors.
add_library(coflow-warnings INTERFACE)
target_compile_options(
  coflow-warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
                            "$<$<BOOL:${COFLOW_WERROR}>:-Werror;-Wpedantic>"
)

# Nothing outside replaces a function of this library by one of the same name. The compiler may put
# such functions inline, calls inside the library skip the table of imported functions, and that
# table is filled when a program starts. A packet-hop over lean connections is a tenth cheaper so.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
check_cxx_compiler_flag(-fno-semantic-interposition COFLOW_HAS_NO_INTERPOSITION)
check_linker_flag(CXX "LINKER:-Bsymbolic-functions,-z,now" COFLOW_HAS_SYMBOLIC_FUNCTIONS)
function(coflow_call_directly target)
  if(COFLOW_HAS_NO_INTERPOSITION)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
  if(COFLOW_HAS_SYMBOLIC_FUNCTIONS)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL SHARED_LIBRARY)
      target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions,-z,now)
    endif()
  endif()
endfunction()

# Ring 0 is an object library: it is part of the module, and is tested, fuzzed
# and benchmarked without ns-3.
add_library(coflow-ring0 OBJECT ${coflow_ring0_sources})
target_include_directories(
  coflow-ring0 PUBLIC $<BUILD_INTERFACE:${coflow_include_dir}>
                      $<INSTALL_INTERFACE:include/ns3coflow>
)
target_include_directories(coflow-ring0 SYSTEM
                           PUBLIC $<BUILD_INTERFACE:${coflow_boost_include_dir}>)
target_link_libraries(coflow-ring0 PRIVATE $<BUILD_INTERFACE:coflow-warnings>)
coflow_precompile(coflow-ring0 STANDARD)
coflow_compile_folders_together(coflow-ring0)
coflow_call_directly(coflow-ring0)

set(coflow_outer_sources ${coflow_sources})
list(REMOVE_ITEM coflow_outer_sources ${coflow_ring0_sources})
add_library(coflow SHARED ${coflow_outer_sources})
target_link_libraries(
  coflow
  PUBLIC coflow-ring0 ns3::core ns3::network ns3::internet ns3::traffic-control ns3::point-to-point
  PRIVATE $<BUILD_INTERFACE:coflow-warnings> Threads::Threads
)
target_compile_features(coflow PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
coflow_precompile(coflow STANDARD NS3)
coflow_compile_folders_together(coflow)
coflow_call_directly(coflow)
coflow_use_profile(coflow)
# What scripts call is compiled in half of the time so. The simulation is in other folders.
set_source_files_properties(
  ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/coflow.dir/Unity/unity_helper_cxx.cxx
  PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>
)
include(CoflowCommit)
add_dependencies(coflow coflow-commit)
set_source_files_properties(
  helper/coflow-version.cc
  PROPERTIES SKIP_PRECOMPILE_HEADERS ON
             INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/commit
             OBJECT_DEPENDS ${CMAKE_BINARY_DIR}/commit/coflow-commit.h
             SKIP_UNITY_BUILD_INCLUSION ON
             COMPILE_DEFINITIONS
             "COFLOW_VERSION=\"${COFLOW_VERSION}\";COFLOW_NS3_VERSION=\"${coflow_ns3_version}\""
)

# Reads each source by itself, as the build in an ns-3 tree does, so that no source lives on the headers
# of another one (cmake --build build/release --target each-source-alone).
add_library(each-source-alone OBJECT EXCLUDE_FROM_ALL ${coflow_sources})
target_compile_options(each-source-alone PRIVATE -fsyntax-only)
target_link_libraries(each-source-alone PRIVATE coflow)
set_target_properties(each-source-alone PROPERTIES UNITY_BUILD OFF DISABLE_PRECOMPILE_HEADERS ON)

# ns-3's own macro for examples, so that examples/CMakeLists.txt serves both builds, and the
# names by which it is told libraries there.
set(libcoflow coflow)
foreach(module core network internet point-to-point traffic-control applications netanim mobility)
  set(lib${module} ns3::${module})
endforeach()
function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "" NAME "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  foreach(library IN LISTS EXAMPLE_LIBRARIES_TO_LINK)
    if(NOT TARGET ${library})
      message(STATUS "coflow: no example ${EXAMPLE_NAME}, for this ns-3 has no ${library}")
      return()
    endif()
  endforeach()
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE ${EXAMPLE_LIBRARIES_TO_LINK} coflow-warnings)
endfunction()
add_subdirectory(examples)

include(CoflowInstall)

# The sample says that its sizes and times are scaled by 1/250. The parameters that scale follow.
set(coflow_demo coflow-replay --trace=${CMAKE_SOURCE_DIR}/examples/data/fb-like-16.csv
                --topology=fat-tree --k=4)
set(coflow_demo_packet ${coflow_demo} --compare=fair,fifo,varys,nc-drf,ps-p)
# Fluids whose ports have what data has of a link in packets: 1448 of 1502 bytes under TCP alone, and
# kappa where a coordinator gives rates. The same coflows bypass the schedulers as do in packets.
set(coflow_demo_fluid_tcp ${coflow_demo} --engine=fluid --compare=fair --linkRate=964047936bps)
set(coflow_demo_fluid_rates ${coflow_demo} --engine=fluid --compare=fifo,varys,nc-drf,ps-p
                            --linkRate=940Mbps --bypassBytes=100kB)
foreach(demo packet fluid_tcp fluid_rates) # a test runs them, too
  list(JOIN coflow_demo_${demo} " " coflow_demo_${demo}_command)
endforeach()
add_custom_target(
  demo
  COMMAND ${CMAKE_COMMAND} -E echo "Packet level: 60 coflows on a fat-tree of 16 hosts, real TCP"
  COMMAND ${coflow_demo_packet}
  COMMAND ${CMAKE_COMMAND} -E echo "Fluid: the same workload without packets, only host ports limit"
  COMMAND ${coflow_demo_fluid_tcp}
  COMMAND ${coflow_demo_fluid_rates}
  COMMENT "Schedulers on a shipped trace"
  VERBATIM USES_TERMINAL
)
add_dependencies(demo coflow-trace) # the README's next commands
coflow_add_profile_target(${coflow_demo_packet})

if(COFLOW_TESTS)
  enable_testing()
  add_subdirectory(test)
endif()
if(COFLOW_BENCH)
  coflow_provide_benchmark()
  add_subdirectory(bench)
endif()

if(COFLOW_PYTHON)
  add_subdirectory(python)
endif()

if(NOT CMAKE_BUILD_TYPE MATCHES "Rel")
  message(WARNING "coflow: this is a ${CMAKE_BUILD_TYPE} build; it runs several times slower than "
                  "a Release build. Use it to find bugs, not to measure.")
endif()
