# What `cmake --install` lays down: program, library, headers and a package that find_package(liaison) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS liaison EXPORT liaison_targets)
install(DIRECTORY src/liaison DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING
    PATTERN "*.hpp" PATTERN "*.def"
    PATTERN app EXCLUDE)
install(TARGETS liaison_app)

set(liaison_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/liaison)
install(EXPORT liaison_targets NAMESPACE liaison:: DESTINATION ${liaison_package_dir})
configure_package_config_file(cmake/liaisonConfig.cmake.in liaisonConfig.cmake
    INSTALL_DESTINATION ${liaison_package_dir})
write_basic_package_version_file(liaisonConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/liaisonConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/liaisonConfigVersion.cmake DESTINATION ${liaison_package_dir})
