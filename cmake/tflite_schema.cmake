# ripc_tflite_schema: readers of the TensorFlow Lite format, generated from the importer's own minimal schema.

find_package(FlatBuffers REQUIRED)
find_program(FLATC_EXECUTABLE flatc REQUIRED)

set(schema ${PROJECT_SOURCE_DIR}/src/import/tflite/schema.fbs)
set(schema_folder ${PROJECT_BINARY_DIR}/generated)
set(schema_header ${schema_folder}/tflite/schema_generated.h)

add_custom_command(
  OUTPUT ${schema_header}
  COMMAND ${FLATC_EXECUTABLE} --cpp --scoped-enums -o ${schema_folder}/tflite ${schema}
  DEPENDS ${schema}
  COMMENT "Generating tflite/schema_generated.h"
  VERBATIM)
add_custom_target(ripc_tflite_schema_header DEPENDS ${schema_header})

add_library(ripc_tflite_schema INTERFACE)
add_dependencies(ripc_tflite_schema ripc_tflite_schema_header)
target_include_directories(ripc_tflite_schema SYSTEM INTERFACE ${schema_folder})
