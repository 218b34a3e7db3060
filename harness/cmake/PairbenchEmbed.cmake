# pairbench_embed(TARGET SYMBOL FILE): links the bytes of FILE into TARGET as
#     extern const unsigned char SYMBOL[];       followed by a zero byte that is not counted
#     extern const unsigned char SYMBOL_end[];
# The assembler reads the file at build time, so nothing generated is large or committed.
function(pairbench_embed target symbol file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE path)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embed_${symbol}.c")
  file(CONFIGURE OUTPUT "${source}" CONTENT
"extern const unsigned char @symbol@[];
__asm__(\".pushsection .rodata\\n.balign 64\\n.global @symbol@\\n.hidden @symbol@\\n\"
        \".global @symbol@_end\\n.hidden @symbol@_end\\n@symbol@:\\n.incbin \\\"@path@\\\"\\n\"
        \"@symbol@_end:\\n.byte 0\\n.popsection\");
" @ONLY)
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${path}")
  target_sources(${target} PRIVATE "${source}")
endfunction()
