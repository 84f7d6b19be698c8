# SPDX-License-Identifier: GPL-2.0-only
#
# Installs the build tree BUILD, moves what was installed, and builds and runs test/consumer on it.
# cmake -DBUILD=... -DSOURCE=... -DVERSION=... -P check.cmake

set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})
macro(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE printed ERROR_VARIABLE printed)
  if(failed)
    message(FATAL_ERROR "${ARGN}: ${failed}\n${printed}")
  endif()
endmacro()
run(${CMAKE_COMMAND} --build ${BUILD} --target coflow-replay coflow-trace manual)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/first --component library)
# Nothing in it says where it was installed.
file(RENAME ${work}/first ${work}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/test/consumer -B ${work}/build -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
if(NOT printed MATCHES "^version ${VERSION}\ncoflow_id,.*\n0,|^version ${VERSION}\ncoflow_id,.*\n1,")
  message(FATAL_ERROR "the program of test/consumer prints\n${printed}")
endif()
run(${work}/prefix/bin/coflow-replay --version)
if(NOT printed MATCHES "^coflow-replay ${VERSION} ")
  message(FATAL_ERROR "the installed coflow-replay prints\n${printed}")
endif()
file(READ ${work}/prefix/share/man/man1/coflow-replay.1 manual)
if(NOT manual MATCHES "BI .-.-scheduler= NAME")
  message(FATAL_ERROR "the manual page has no option --scheduler")
endif()
file(REMOVE_RECURSE ${work}) # 150 MB
