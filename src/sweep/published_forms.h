// The closed forms of the publication beside the truth of each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ripc/layer.h"
#include "sweep/answers.h"

namespace ripc {

struct PublishedForm {
  const char* name;
  /// What it speaks of; empty: the herringbone.
  std::optional<Configuration> configuration;
  /// Its gap, clamped, in scalars; empty if the form does not speak of such a layer.
  std::optional<std::int64_t> (*gap)(const Layer&);
};

extern const std::array<PublishedForm, 10> kPublishedForms;

/// What the form ought to say, out of all answers to a layer.
std::int64_t truth_of(const PublishedForm& form, const LayerAnswers& answers);

}  // namespace ripc
