# SPDX-License-Identifier: GPL-2.0-only
#
# Profile-guided optimisation with GCC, as wheels of a release have it (utils/build-wheels). It takes two
# builds in the same folder. The first has COFLOW_PROFILE_GENERATE=DIR: programs count what they
# execute, and the target `profile` runs the demo and a cut of four schedulers, so that their counts are in
# DIR. The second has COFLOW_PROFILE_USE=DIR. Results are the same with a profile and without.

set(COFLOW_PROFILE_GENERATE "" CACHE PATH "Folder into which programs write their counts")
set(COFLOW_PROFILE_USE "" CACHE PATH "Folder with the counts by which the library is optimised")

# coflow_use_profile(<target>): what a target of the library is told.
function(coflow_use_profile target)
  if(COFLOW_PROFILE_GENERATE)
    target_compile_options(${target} PRIVATE -fprofile-generate=${COFLOW_PROFILE_GENERATE})
    target_link_options(${target} PUBLIC -fprofile-generate=${COFLOW_PROFILE_GENERATE})
  elseif(COFLOW_PROFILE_USE)
    # What the jobs do not execute is compiled as without a profile, and not for size.
    target_compile_options(
      ${target} PRIVATE -fprofile-use=${COFLOW_PROFILE_USE} -fprofile-partial-training
                        -fprofile-correction -Wno-missing-profile
    )
  endif()
endfunction()

# coflow_add_profile_target(<command>...): the target that makes the counts; the command is the demo.
function(coflow_add_profile_target)
  if(NOT COFLOW_PROFILE_GENERATE)
    return()
  endif()
  set(cut coflow-replay --generate=fb-like,coflows=100,hosts=50,seed=1 --scale=1/1000
          --topology=big-switch --hosts=51 --linkRate=1Gbps)
  add_custom_target(
    profile
    COMMAND ${ARGN}
    COMMAND coflow-replay --generate=permutation,hosts=128,bytes=2e6 --topology=fat-tree --k=8
            --linkRate=10Gbps --scheduler=fair
    COMMAND ${cut} --scheduler=fair
    COMMAND ${cut} --scheduler=varys
    COMMAND ${cut} --scheduler=aalo
    COMMAND ${cut} --scheduler=dcas
    COMMENT "Jobs whose counts the next build uses"
    VERBATIM
  )
endfunction()
