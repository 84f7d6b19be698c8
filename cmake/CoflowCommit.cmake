# SPDX-License-Identifier: GPL-2.0-only
#
# Included: writes coflow-commit.h into the build tree at every build, with the commit of the
# sources, so that results can say what made them. As a script, it is what does so.

if(CMAKE_SCRIPT_MODE_FILE)
  set(commit "")
  execute_process(
    COMMAND git -C ${SOURCE} describe --always --dirty=+ --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
  )
  if(NOT EXISTS ${SOURCE}/.git)
    set(commit "") # sources that were unpacked inside of some other repository
  endif()
  set(text "#define COFLOW_COMMIT \"${commit}\"\n")
  set(before "")
  if(EXISTS ${OUT})
    file(READ ${OUT} before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE ${OUT} "${text}")
  endif()
  return()
endif()

add_custom_target(
  coflow-commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR}
          -DOUT=${CMAKE_BINARY_DIR}/commit/coflow-commit.h -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${CMAKE_BINARY_DIR}/commit/coflow-commit.h
)
