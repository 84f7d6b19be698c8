# SPDX-License-Identifier: GPL-2.0-only
#
# `cmake --install BUILD --prefix PREFIX`: the library, its headers, the programs with a manual page,
# and a package that find_package(ns3coflow) finds. Where ns-3 comes from its Python wheel, its
# libraries and headers are installed beside, for they are nowhere else.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(coflow_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ns3coflow)
set(coflow_header_dir ${CMAKE_INSTALL_INCLUDEDIR}/ns3coflow)
set(coflow_ns3_copy "") # below the prefix
get_filename_component(coflow_ns3_root ${ns3_DIR}/../../.. ABSOLUTE)
if(ns3_DIR MATCHES "/_deps/ns3-wheel/|/site-packages/")
  set(coflow_ns3_copy ${CMAKE_INSTALL_LIBDIR}/ns3coflow/ns3)
  install(DIRECTORY ${coflow_ns3_root}/include/ns3 DESTINATION ${coflow_ns3_copy}/include
          COMPONENT library)
  install(DIRECTORY ${coflow_ns3_root}/lib64 ${coflow_ns3_root}/libexec
          DESTINATION ${coflow_ns3_copy} USE_SOURCE_PERMISSIONS COMPONENT library)
  set_property(TARGET coflow APPEND PROPERTY INSTALL_RPATH $ORIGIN/ns3coflow/ns3/lib64)
else()
  get_filename_component(coflow_ns3_libraries ${ns3_DIR}/../.. ABSOLUTE)
  set_property(TARGET coflow APPEND PROPERTY INSTALL_RPATH ${coflow_ns3_libraries})
endif()

install(TARGETS coflow coflow-ring0 EXPORT ns3coflowTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(EXPORT ns3coflowTargets NAMESPACE ns3coflow:: DESTINATION ${coflow_package_dir}
        COMPONENT library)
list(TRANSFORM coflow_headers PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE coflow_header_files)
install(FILES ${coflow_header_files} ${coflow_include_dir}/ns3/coflow-module.h
        DESTINATION ${coflow_header_dir}/ns3 COMPONENT library)
configure_package_config_file(
  cmake/ns3coflowConfig.cmake.in ${CMAKE_BINARY_DIR}/ns3coflowConfig.cmake
  INSTALL_DESTINATION ${coflow_package_dir}
)
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/ns3coflowConfigVersion.cmake COMPATIBILITY SameMinorVersion
)
install(FILES ${CMAKE_BINARY_DIR}/ns3coflowConfig.cmake
              ${CMAKE_BINARY_DIR}/ns3coflowConfigVersion.cmake
              cmake/CoflowNs3Wheel.cmake
        DESTINATION ${coflow_package_dir} COMPONENT library)

# The programs, with a manual page that is made of what --help prints.
set(coflow_programs coflow-replay coflow-trace)
set_property(
  TARGET ${coflow_programs} APPEND
  PROPERTY INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR}
           $ORIGIN/../${CMAKE_INSTALL_LIBDIR}/ns3coflow/ns3/lib64 ${coflow_ns3_libraries}
)
install(TARGETS ${coflow_programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
find_package(Python3 3.10 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  set(coflow_manual ${CMAKE_BINARY_DIR}/coflow-replay.1)
  add_custom_command(
    OUTPUT ${coflow_manual}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/utils/manual-page $<TARGET_FILE:coflow-replay>
            ${coflow_manual}
    DEPENDS coflow-replay ${CMAKE_SOURCE_DIR}/utils/manual-page
    VERBATIM
  )
  add_custom_target(manual DEPENDS ${coflow_manual})
  install(FILES ${coflow_manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT library OPTIONAL)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/ns3coflow COMPONENT library)
install(FILES examples/data/fb-like-16.csv DESTINATION ${CMAKE_INSTALL_DATADIR}/ns3coflow
        COMPONENT library)
