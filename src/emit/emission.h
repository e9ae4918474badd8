// What the writers of the single files share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emit/constants.h"
#include "emit/emit.h"
#include "emit/text.h"

namespace ripc::emit {

struct Emission {
  const Graph& graph;
  const Plan& plan;
  const Program& program;
  const EmitOptions& options;
  Names names;
  ConstantPool constants;
};

/// "CONV_2D conv1/Relu", for comments and traces.
std::string op_label(const Emission& emission, OpId op);

/// "input" or "output", with its index if there are several.
std::string input_name(const Emission& emission, std::size_t index);
std::string output_name(const Emission& emission, std::size_t index);

/// The C type of an input's or output's scalars.
std::string scalar_type(const Emission& emission, const ProgramTensor& tensor);

/// ", const int8_t *input" for every input in the caller's buffers: the tail of the parameters of invoke; and the
/// arguments for them.
std::string external_parameters(const Emission& emission, bool writable = false);
std::string external_arguments(const Emission& emission);

/// ", void *state" of a network with one, then the external inputs; and the arguments for them.
std::string parameters(const Emission& emission, bool writable = false);
std::string arguments(const Emission& emission);

/// "arena == NULL || ...": true if a call must be refused. Covers the external inputs too; or the arena and the state
/// alone.
std::string refusal(const Emission& emission);
std::string refusal_of_memory(const Emission& emission);

/// Whether the caller hands the input over: as a buffer of its own or row by row.
bool from_caller(const Emission& emission, const ProgramTensor& input);

/// The declaration of the list of the caller's buffers, and what tells a run where its memory is.
std::string callers_text(const Program& program);
std::string binding_text(const Emission& emission);

/// Whether the caller can run the network step by step; then what NAME.c and NAME.h have for it.
bool is_stepwise(const Emission& emission);
std::string stepwise_text(const Emission& emission);
std::string stepwise_header(const Emission& emission);

/// The function that stores a row of a streamed input, and the work that each of them causes.
std::string arrive_text(const Emission& emission);
std::vector<std::int64_t> row_macs(const Emission& emission);
std::string row_macs_text(const Emission& emission);  ///< NAME_row_macs.c

std::string header_text(const Emission& emission);                                          ///< NAME.h
std::string code_text(const Emission& emission);                                            ///< NAME.c
std::string weights_header_text(const Emission& emission);                                  ///< NAME_weights.h
std::string weights_text(const Emission& emission);                                         ///< NAME_weights.c
std::string selftest_text(const Emission& emission);                                        ///< NAME_selftest.c
std::string cmake_text(const Emission& emission, const std::vector<EmittedFile>& runtime);  ///< CMakeLists.txt

/// Makefile, and what of boards/ the board needs, with model.h, as the firmware sees the model. Throws ripc::Error for
/// a board that there is not.
std::vector<EmittedFile> board_project(const Emission& emission);

}  // namespace ripc::emit
