# SPDX-License-Identifier: GPL-2.0-only
#
# The sources and headers of the module: all files of `model` and `helper`. A new file needs no line
# here. Paths are relative to the repository.

# coflow_find(<variable> <pattern>...): the files of some patterns.
function(coflow_find variable)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${ARGN})
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

coflow_find(coflow_sources model/*.cc helper/*.cc)
coflow_find(coflow_headers model/*.h helper/*.h)

# Ring 0: standard C++ and header-only Boost, no ns-3.
coflow_find(
  coflow_ring0_sources
  model/base/*.cc model/workload/*.cc model/result/*.cc model/policy/*.cc model/fluid/*.cc
)
