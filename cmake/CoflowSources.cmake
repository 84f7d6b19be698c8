# SPDX-License-Identifier: GPL-2.0-only
#
# The sources and headers of the module: all files coflow-* of `model` and `helper`. A new file needs
# no line here. Paths are relative to the repository.

# coflow_find(<variable> <pattern>...): the files of some patterns.
function(coflow_find variable)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${ARGN})
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

coflow_find(coflow_sources model/coflow-*.cc helper/coflow-*.cc)
coflow_find(coflow_headers model/coflow-*.h helper/coflow-*.h)

# Ring 0: standard C++ and header-only Boost, no ns-3. All other folders belong to the other rings.
coflow_find(
  coflow_ring0_sources
  model/base/coflow-*.cc model/workload/coflow-*.cc model/result/coflow-*.cc
  model/policy/coflow-*.cc model/fluid/coflow-*.cc
)
