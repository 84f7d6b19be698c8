# SPDX-License-Identifier: GPL-2.0-only
#
# What has to be changed in the CMake package of the ns3 wheel, here and in programs that use an
# installed ns3coflow.

# The wheel's package names include folders and libraries of the machine that
# built it. Nothing of them is needed: what the libraries link is in the wheel.
function(coflow_repair_ns3_wheel)
  get_filename_component(prefix ${ns3_DIR}/../../.. ABSOLUTE)
  get_directory_property(targets IMPORTED_TARGETS)
  list(FILTER targets INCLUDE REGEX "^ns3::")
  foreach(target IN LISTS targets)
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    list(FILTER libraries INCLUDE REGEX "^ns3::")
    set_target_properties(
      ${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${prefix}/include
                           INTERFACE_LINK_LIBRARIES "${libraries}"
    )
  endforeach()
  # Its config-store calls GTK, which is not in the wheel; others (netanim) link it, unused.
  if(TARGET ns3::config-store)
    set_target_properties(
      ns3::config-store PROPERTIES INTERFACE_LINK_OPTIONS "LINKER:--allow-shlib-undefined"
    )
  endif()
endfunction()
