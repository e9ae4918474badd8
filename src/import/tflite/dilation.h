// Convolutions between SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND, which is how older converters write a dilation.
#pragma once

#include <array>
#include <map>

#include "import/tflite/reader.h"

namespace ripc {

/// A convolution of which the input's pixels a block apart are a batch each. Rows, then columns.
struct DilatedConvolution {
  int to_batches = -1, from_batches = -1;  ///< the operators before and after it
  int input = -1, output = -1;             ///< of the three together; tensors of the file
  std::array<std::int64_t, 2> block{1, 1};
  std::array<std::int64_t, 2> before{}, after{};  ///< padding, less what is cropped
};

/// By the index of the convolution's operator.
std::map<int, DilatedConvolution> find_dilated(TfliteReader& reader);

/// The same convolution over the image itself. `kind` is that between the two operators.
Complaint dilate(const DilatedConvolution& dilated, OpKind& kind);

}  // namespace ripc
