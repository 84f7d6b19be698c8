# SPDX-License-Identifier: GPL-2.0-only
#
# coflow_unpack_debian(<dir> <family> <package>): brings a Debian or Ubuntu
# package into <dir>, with those of its dependencies whose names match the
# regular expression <family>, by the ordinary package client and without root:
# they are downloaded and unpacked, not installed. Sets coflow_debian_ok.

function(coflow_unpack_debian dir family package)
  set(coflow_debian_ok FALSE PARENT_SCOPE)
  find_program(COFLOW_APT_GET apt-get)
  find_program(COFLOW_APT_CACHE apt-cache)
  find_program(COFLOW_DPKG_DEB dpkg-deb)
  mark_as_advanced(COFLOW_APT_GET COFLOW_APT_CACHE COFLOW_DPKG_DEB)
  if(NOT COFLOW_APT_GET OR NOT COFLOW_APT_CACHE OR NOT COFLOW_DPKG_DEB)
    return()
  endif()
  message(STATUS "coflow: ${package} is not installed, unpacking it into ${dir}")
  file(REMOVE_RECURSE ${dir})
  file(MAKE_DIRECTORY ${dir}/packages ${dir}/apt/lists/partial ${dir}/apt/cache/archives/partial)
  # The system's package lists may be missing; lists of our own, fetched into
  # the build tree, need no root either. So: with the system's, then with ours.
  set(options)
  foreach(attempt RANGE 1)
    if(attempt)
      set(options -o Dir::State::Lists=${dir}/apt/lists -o Dir::Cache=${dir}/apt/cache)
      execute_process(COMMAND ${COFLOW_APT_GET} -qq ${options} update OUTPUT_QUIET ERROR_QUIET)
    endif()
    execute_process(
      COMMAND ${COFLOW_APT_CACHE} ${options} depends --recurse --important ${package}
      OUTPUT_VARIABLE listing ERROR_QUIET
    )
    string(REGEX MATCHALL "[a-z0-9][a-z0-9+.-]+" names "${listing}")
    list(FILTER names INCLUDE REGEX "${family}")
    list(APPEND names ${package})
    list(REMOVE_DUPLICATES names)
    execute_process(
      COMMAND ${COFLOW_APT_GET} -qq ${options} download ${names}
      WORKING_DIRECTORY ${dir}/packages
      RESULT_VARIABLE failed
      OUTPUT_QUIET ERROR_QUIET
    )
    file(GLOB archives ${dir}/packages/*.deb)
    if(NOT failed AND archives)
      break()
    endif()
  endforeach()
  if(failed OR NOT archives)
    return()
  endif()
  foreach(archive IN LISTS archives)
    execute_process(COMMAND ${COFLOW_DPKG_DEB} -x ${archive} ${dir} RESULT_VARIABLE failed)
    if(failed)
      return()
    endif()
  endforeach()
  file(REMOVE_RECURSE ${dir}/packages ${dir}/apt)
  set(coflow_debian_ok TRUE PARENT_SCOPE)
endfunction()
