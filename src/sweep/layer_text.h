// A layer as a user types it, and back.
#pragma once

#include <cstdint>
#include <string>

#include "ripc/layer.h"

namespace ripc {

/// The words of `ripc layer`. Exactly one of conv, depthwise and pool is given.
struct LayerText {
  std::string input;                ///< HxWxC
  std::string conv;                 ///< KHxKWxCHANNELS
  std::string depthwise;            ///< KHxKW, or KHxKWxMULTIPLIER
  std::string pool;                 ///< KHxKW
  std::string stride = "1";         ///< S, or SHxSW
  std::string dilation = "1";       ///< D, or DHxDW
  std::string pad = "valid";        ///< valid, same, P, or TOP,BOTTOM,LEFT,RIGHT
  std::string element_bytes = "1";  ///< N, or IN,OUT
  std::int64_t groups = 1;          ///< of conv
};

/// `same` is TensorFlow's: ceil(input / stride) outputs, the odd pixel of padding after. Depthwise and pooling layers
/// have a group a channel. The layer is checked and makes an output. Throws ripc::Error (usage) that names the word.
Layer parse_layer(const LayerText& text);

/// The same out of one line, the words that follow `ripc layer`: "14x14x1 --conv 3x3x5 --pad same".
Layer parse_layer(const std::string& words);

/// The command that asks for this layer: "ripc layer 4x6x1 --conv 1x3x3 --stride 4x2". Pitches are left out.
std::string layer_command(const Layer& layer);

/// "14x14x1 -> 12x12x5, kernel 3x3, stride 2, padding 1,1,0,0", without what is at its default.
std::string describe(const Layer& layer);

}  // namespace ripc
