# SPDX-License-Identifier: GPL-2.0-only
#
# Finds ns-3 for a standalone build: any installed one by -Dns3_DIR= (or
# CMAKE_PREFIX_PATH), otherwise the `ns3` Python wheel, installed into the build
# tree without its Python dependencies. Provides ns3::core and friends, and sets
# coflow_ns3_version.

set(coflow_ns3_wheel_version 3.44.post0)

# Installs the wheel once and points ns3_DIR at its CMake package.
function(coflow_install_ns3_wheel)
  set(prefix ${CMAKE_BINARY_DIR}/_deps/ns3-wheel)
  set(package_dir ${prefix}/ns3/lib64/cmake/ns3)
  if(NOT EXISTS ${package_dir}/ns3Config.cmake)
    set(help
        "ns3-coflow needs ns-3. Either give a network connection to the Python package index, "
        "so that the ns3 ${coflow_ns3_wheel_version} wheel can be installed into the build tree "
        "(Linux on x86-64, Python >= 3.10 with venv), or point -Dns3_DIR= at the folder "
        "lib/cmake/ns3 of any installed ns-3 (3.44 or newer), or check this repository out as "
        "contrib/coflow in an ns-3 source tree.\n"
    )
    if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
      message(FATAL_ERROR ${help} "There is no wheel for ${CMAKE_SYSTEM_NAME} on "
                          "${CMAKE_SYSTEM_PROCESSOR}.")
    endif()
    find_package(Python3 3.10 COMPONENTS Interpreter)
    if(NOT Python3_Interpreter_FOUND)
      message(FATAL_ERROR ${help} "No Python >= 3.10 was found.")
    endif()
    message(STATUS "coflow: installing the ns3 ${coflow_ns3_wheel_version} wheel into ${prefix}")
    set(venv ${CMAKE_BINARY_DIR}/_deps/venv)
    execute_process(
      COMMAND ${Python3_EXECUTABLE} -m venv ${venv}
      RESULT_VARIABLE failed
      OUTPUT_VARIABLE why ERROR_VARIABLE why
    )
    if(NOT failed)
      # The libraries do not depend on the interpreter, so one wheel serves all.
      execute_process(
        COMMAND
          ${venv}/bin/python -m pip install --quiet --disable-pip-version-check --no-deps
          --only-binary=:all: --implementation cp --python-version 3.11
          --platform manylinux_2_28_x86_64 --upgrade --target ${prefix}
          ns3==${coflow_ns3_wheel_version}
        RESULT_VARIABLE failed
        OUTPUT_VARIABLE why ERROR_VARIABLE why
      )
    endif()
    if(failed OR NOT EXISTS ${package_dir}/ns3Config.cmake)
      file(REMOVE_RECURSE ${prefix})
      message(FATAL_ERROR ${help} "Installing the wheel failed: ${why}")
    endif()
  endif()
  set(ns3_DIR ${package_dir} PARENT_SCOPE)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/CoflowNs3Wheel.cmake)

macro(coflow_provide_ns3)
  set(coflow_requested_ns3_dir "${ns3_DIR}") # a search in vain overwrites it
  find_package(ns3 QUIET CONFIG)
  if(NOT ns3_FOUND)
    if(coflow_requested_ns3_dir AND NOT coflow_requested_ns3_dir MATCHES "/_deps/ns3-wheel/")
      message(FATAL_ERROR "ns3_DIR=${coflow_requested_ns3_dir} holds no ns3Config.cmake. It should "
                          "be the folder lib/cmake/ns3 of an installed ns-3.")
    endif()
    coflow_install_ns3_wheel()
    find_package(ns3 CONFIG REQUIRED)
  endif()
  # The development tree calls itself 3.dev (3-dev), and is newer than any number.
  set(coflow_ns3_version ${ns3_VERSION})
  string(REGEX REPLACE "[.-]dev.*" ".9999" coflow_ns3_number "${ns3_VERSION}")
  if(coflow_ns3_number VERSION_LESS 3.44)
    message(FATAL_ERROR "ns-3 ${ns3_VERSION} in ${ns3_DIR} is too old: 3.44 or newer is needed.")
  endif()
  # Where a wheel is installed, its package lies below lib64 of a folder ns3.
  if(ns3_DIR MATCHES "/_deps/ns3-wheel/|/site-packages/")
    coflow_repair_ns3_wheel()
  endif()
  if(NOT CMAKE_CXX_STANDARD)
    # What ns-3's own headers need.
    if(coflow_ns3_number VERSION_LESS 3.46)
      set(CMAKE_CXX_STANDARD 20)
    else()
      set(CMAKE_CXX_STANDARD 23)
    endif()
  endif()
  message(STATUS "coflow: ns-3 ${coflow_ns3_version} from ${ns3_DIR}")
endmacro()
