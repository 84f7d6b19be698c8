# SPDX-License-Identifier: GPL-2.0-only
#
# Sources that are compiled together. The compiler then reads the headers that they share, and
# makes the code of the templates that they share, once in place of once per file.
#
# COFLOW_UNITY=OFF compiles every file by itself, so that a change of one file compiles only that
# one. It is the default where the compiler is launched by a compiler cache, as people who change
# the code use one.

set(coflow_unity_default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "cache")
  set(coflow_unity_default OFF)
endif()
option(COFLOW_UNITY "Compile sources that share headers together" ${coflow_unity_default})

# Names that many sources of the library have, and that differ from one to the next in a group.
set(coflow_unity_names "")
foreach(name g_log REGISTRATION)
  string(APPEND coflow_unity_names "#undef ${name}\n"
                "#define ${name} COFLOW_JOIN(${name}_, COFLOW_UNITY_FILE)\n")
endforeach()
set(coflow_unity_code
    "#define COFLOW_JOIN_AS_IT_IS(a, b) a##b\n#define COFLOW_JOIN(a, b) COFLOW_JOIN_AS_IT_IS(a, b)\n${coflow_unity_names}"
)

# coflow_compile_folders_together(<target>): the sources of each folder of a target of the library as
# one, but for those that have definitions of their own.
function(coflow_compile_folders_together target)
  if(NOT COFLOW_UNITY)
    return()
  endif()
  set_target_properties(
    ${target}
    PROPERTIES UNITY_BUILD ON
               UNITY_BUILD_MODE GROUP
               UNITY_BUILD_UNIQUE_ID COFLOW_UNITY_FILE
               UNITY_BUILD_CODE_BEFORE_INCLUDE "${coflow_unity_code}"
  )
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cc$")
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "/" "-" group ${folder})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# coflow_compile_together(<target> <group> <source>...): these sources of a target as one. Sources in
# no group are compiled alone. To be called in the folder of the target.
function(coflow_compile_together target group)
  if(NOT COFLOW_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${source}, which is to be compiled with "
                          "others, does not exist")
    endif()
  endforeach()
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
  # GCC takes a source that another one includes for a header, and warns of its anonymous namespace.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
