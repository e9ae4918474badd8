# Carries files inside the compiler, as string literals: those of the C runtime and of the boards.
#
# Included: ripc_embed(target FUNCTION ROOT pattern...) gives the target a generated source that defines
# ripc::emit::FUNCTION() of the files of ROOT, a folder of the project, that match.
# As a script: cmake -DFUNCTION=name -DROOT=folder -DPATTERNS=pattern;... -DOUTPUT=file.cpp -P embed.cmake writes it.

function(ripc_embed target function root)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${root}/ OUTPUT_VARIABLE patterns)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFUNCTION=${function} -DROOT=${PROJECT_SOURCE_DIR}/${root} "-DPATTERNS=${ARGN}"
      -DOUTPUT=${output} -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  list(TRANSFORM PATTERNS PREPEND ${ROOT}/)
  file(GLOB files RELATIVE ${ROOT} ${PATTERNS})
  list(SORT files)
  file(WRITE ${OUTPUT} "#include \"emit/embedded_files.h\"\n\nnamespace ripc::emit {\nnamespace {\n\n")
  file(APPEND ${OUTPUT} "constexpr EmbeddedFile kFiles[] = {\n")
  foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} text)
    string(REGEX REPLACE "^include/" "" path ${file})
    file(APPEND ${OUTPUT} "    {\"${path}\", R\"rip(${text})rip\"},\n")
  endforeach()
  file(APPEND ${OUTPUT} "};\n\n}  // namespace\n\n")
  file(APPEND ${OUTPUT} "std::span<const EmbeddedFile> ${FUNCTION}() { return kFiles; }\n\n}  // namespace ripc::emit\n")
endif()
