# Carries the files of the C runtime inside the compiler, as string literals.
#
# Included: ripc_embed_runtime(target) gives the target a generated source that defines ripc::emit::runtime_files().
# As a script: cmake -DROOT=runtime -DOUTPUT=file.cpp -P embed.cmake writes that source.

function(ripc_embed_runtime target)
  set(root ${PROJECT_SOURCE_DIR}/runtime)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/runtime_files.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  file(GLOB files CONFIGURE_DEPENDS ${root}/include/rip/*.h ${root}/src/*.c ${root}/src/*.h ${root}/src/dsp/*.c
    ${root}/src/dsp/*.h ${root}/src/m0/*.c ${root}/src/m0/*.h)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${root} -DOUTPUT=${output} -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(GLOB files RELATIVE ${ROOT} ${ROOT}/include/rip/*.h ${ROOT}/src/*.c ${ROOT}/src/*.h ${ROOT}/src/dsp/*.c ${ROOT}/src/dsp/*.h
    ${ROOT}/src/m0/*.c ${ROOT}/src/m0/*.h)
  list(SORT files)
  file(WRITE ${OUTPUT} "#include \"emit/runtime_files.h\"\n\nnamespace ripc::emit {\nnamespace {\n\n")
  file(APPEND ${OUTPUT} "constexpr RuntimeFile kFiles[] = {\n")
  foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} text)
    string(REGEX REPLACE "^include/" "" path ${file})
    file(APPEND ${OUTPUT} "    {\"${path}\", R\"rip(${text})rip\"},\n")
  endforeach()
  file(APPEND ${OUTPUT} "};\n\n}  // namespace\n\n")
  file(APPEND ${OUTPUT} "std::span<const RuntimeFile> runtime_files() { return kFiles; }\n\n}  // namespace ripc::emit\n")
endif()
