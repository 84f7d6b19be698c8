# SPDX-License-Identifier: GPL-2.0-only
#
# Boost (headers only), GoogleTest and Google Benchmark: the system's where
# present, otherwise Debian's packages unpacked into the build tree, otherwise
# one message that names the packages.

include(${CMAKE_CURRENT_LIST_DIR}/CoflowDebian.cmake)

set(coflow_debian_dir ${CMAKE_BINARY_DIR}/_deps/debian)

macro(coflow_missing what debian fedora)
  message(
    FATAL_ERROR
      "ns3-coflow needs ${what}, which was not found, and the package client could not fetch it.\n"
      "Install it (Debian, Ubuntu: apt-get install ${debian}; Fedora: dnf install ${fedora}), "
      "or point CMAKE_PREFIX_PATH at it, then configure again."
  )
endmacro()

# Sets coflow_boost_include_dir.
function(coflow_provide_boost)
  set(unpacked ${coflow_debian_dir}/boost/usr/include)
  find_path(COFLOW_BOOST_INCLUDE_DIR boost/random.hpp
            HINTS ${BOOST_ROOT}/include ${Boost_ROOT}/include ${unpacked})
  if(NOT COFLOW_BOOST_INCLUDE_DIR)
    coflow_unpack_debian(${coflow_debian_dir}/boost "^libboost[0-9.]+-dev$" libboost-dev)
    if(NOT coflow_debian_ok)
      coflow_missing("the Boost headers" libboost-dev boost-devel)
    endif()
    find_path(COFLOW_BOOST_INCLUDE_DIR boost/random.hpp HINTS ${unpacked} REQUIRED)
  endif()
  mark_as_advanced(COFLOW_BOOST_INCLUDE_DIR)
  set(coflow_boost_include_dir ${COFLOW_BOOST_INCLUDE_DIR} PARENT_SCOPE)
endfunction()

# Provides GTest::gtest and GTest::gtest_main.
macro(coflow_provide_gtest)
  list(APPEND CMAKE_PREFIX_PATH ${coflow_debian_dir}/gtest/usr)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    coflow_unpack_debian(${coflow_debian_dir}/gtest "^(libgtest|libgmock|googletest)" libgmock-dev)
    if(NOT coflow_debian_ok)
      coflow_missing("GoogleTest" libgmock-dev gmock-devel)
    endif()
    find_package(GTest REQUIRED)
  endif()
endmacro()

# Provides benchmark::benchmark.
macro(coflow_provide_benchmark)
  list(APPEND CMAKE_PREFIX_PATH ${coflow_debian_dir}/benchmark/usr)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    coflow_unpack_debian(${coflow_debian_dir}/benchmark "^libbenchmark" libbenchmark-dev)
    if(NOT coflow_debian_ok)
      coflow_missing("Google Benchmark" libbenchmark-dev google-benchmark-devel)
    endif()
    find_package(benchmark REQUIRED)
  endif()
endmacro()
