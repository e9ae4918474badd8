# A room is a folder of src/ that becomes one static library; a test is a folder of tests/ that becomes one executable.

add_library(ripc_options INTERFACE)
target_compile_options(ripc_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>)
# GCC 12 warns of overlapping copies inside its own std::string at -O3 (GCC bug 105651).
target_compile_options(ripc_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(RIPC_FUZZ)
  target_compile_options(ripc_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(RIPC_SANITIZE OR RIPC_FUZZ)
  target_compile_options(ripc_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ripc_options INTERFACE -fsanitize=address,undefined)
  # With sanitizers GCC 12 takes parts of its own std::regex for uninitialized (GCC bug 105562).
  target_compile_options(ripc_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# ripc_room(name [room ...]): the library ripc_<name> of src/<name>/*.cpp, and the rooms that it may include.
function(ripc_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/cli/main\\.cpp$")
  add_library(ripc_${name} STATIC ${sources} ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
  target_include_directories(ripc_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(ripc_${name} PUBLIC fmt::fmt PRIVATE ripc_options)
  foreach(room IN LISTS ARGN)
    if(room MATCHES "^ripc_")
      target_link_libraries(ripc_${name} PUBLIC ${room})
    else()
      target_link_libraries(ripc_${name} PUBLIC ripc_${room})
    endif()
  endforeach()
endfunction()

# ripc_test(name [room ...]): the test program test_<name> of tests/<name>/*.cpp.
function(ripc_test name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ripc_options GTest::gtest GTest::gtest_main)
  foreach(room IN LISTS ARGN)
    target_link_libraries(test_${name} PRIVATE ripc_${room})
  endforeach()
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()
