# pairbench_room(NAME [USES rooms…] [LIBRARIES targets…]): one folder of the harness as a static
# library pb_NAME made of all its *.c; USES names the rooms below it that it may include.
function(pairbench_room name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "*.c" "*.h")
  add_library(pb_${name} STATIC ${sources})
  target_include_directories(pb_${name} PUBLIC "${PROJECT_SOURCE_DIR}/harness")
  target_compile_definitions(pb_${name} PUBLIC _GNU_SOURCE)
  set_target_properties(pb_${name} PROPERTIES LINKER_LANGUAGE C)
  list(TRANSFORM ARG_USES PREPEND pb_)
  target_link_libraries(pb_${name} PUBLIC ${ARG_USES} PRIVATE ${ARG_LIBRARIES})
  pairbench_warnings(pb_${name})
endfunction()
