// A plan as JSON text, so that it can be saved, compared, replayed and hashed.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "graph/fnv.h"
#include "plan/plan.h"
#include "ripc/error.h"

namespace ripc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostWhole = std::numeric_limits<std::int64_t>::max();

/// Whole numbers only: the library would also turn fractions and booleans into one.
template <typename Int>
Int whole(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > kMostWhole)) {
    throw Error({.problem = fmt::format("the plan's '{}' is no whole number", key), .found = value.dump()});
  }
  const auto number = value.get<std::int64_t>();
  if (number != static_cast<std::int64_t>(static_cast<Int>(number))) {
    throw Error({.problem = fmt::format("the plan's '{}' is out of range", key), .found = value.dump()});
  }
  return static_cast<Int>(number);
}

std::int64_t number(const Json& json, const char* key) { return whole<std::int64_t>(json, key); }

Json region_json(const Region& region) { return {{"offset", region.offset}, {"bytes", region.bytes}}; }

Region region_from(const Json& json) { return {.offset = number(json, "offset"), .bytes = number(json, "bytes")}; }

Json stage_json(const Stage& stage) {
  Json steps = Json::array();
  for (const StepLoop& loop : stage.steps) {
    Json runs = Json::array();
    for (const StepRun& run : loop.runs) runs.push_back({{"op", run.op}, {"rows", run.rows}});
    steps.push_back({{"times", loop.times}, {"runs", std::move(runs)}});
  }
  Json json{{"ops", stage.ops}, {"reverse", stage.reverse}, {"steps", std::move(steps)}};
  if (stage.blocks != 1) json["blocks"] = stage.blocks;
  return json;
}

Stage stage_from(const Json& json) {
  Stage stage{.ops = json.at("ops"), .reverse = json.at("reverse"), .steps = {}};
  if (json.contains("blocks")) stage.blocks = number(json, "blocks");
  for (const Json& loop : json.at("steps")) {
    StepLoop& steps = stage.steps.emplace_back(StepLoop{.times = whole<std::int64_t>(loop, "times"), .runs = {}});
    for (const Json& run : loop.at("runs"))
      steps.runs.push_back({.op = whole<int>(run, "op"), .rows = whole<std::int64_t>(run, "rows")});
  }
  return stage;
}

Json plan_json(const Plan& plan) {
  Json json;
  json["format"] = "ripc plan 1";
  json["model"] = plan.model;
  json["graph_hash"] = plan.graph_hash;
  json["arena_bytes"] = plan.arena_bytes;
  json["alignment"] = plan.alignment;
  if (plan.state_bytes > 0) {
    json["state_bytes"] = plan.state_bytes;
    json["state_alignment"] = plan.state_alignment;
  }
  json["lower_bound"] = plan.lower_bound;
  json["proven"] = plan.proven;
  json["order_lower_bound"] = plan.order_lower_bound;
  json["order_proven"] = plan.order_proven;
  if (plan.streamed_input) json["streamed_input"] = true;
  if (plan.progress.bytes > 0) json["progress"] = region_json(plan.progress);
  for (const Stage& stage : plan.schedule.stages) json["stages"].push_back(stage_json(stage));
  for (const PlannedOp& op : plan.ops) {
    Json& line = json["ops"].emplace_back(Json{
        {"op", op.op}, {"kernel", op.kernel}, {"scratch", region_json(op.scratch)}, {"kept", region_json(op.kept)}});
    if (op.state.bytes > 0) line["state"] = region_json(op.state);
    for (const Region& region : op.scratch_steps) line["scratch_steps"].push_back({region.offset, region.bytes});
  }
  for (const Storage& storage : plan.storages) {
    json["storages"].push_back({{"tensor", storage.tensor},
                                {"offset", storage.offset},
                                {"row_bytes", storage.row_bytes},
                                {"slots", storage.slots},
                                {"external", storage.external},
                                {"pitch", storage.pitch},
                                {"within", storage.within}});
    if (storage.state) json["storages"].back()["state"] = true;
    if (storage.first_slot != 0) json["storages"].back()["first_slot"] = storage.first_slot;
    if (storage.pixel_slots) json["storages"].back()["pixel_slots"] = true;
    if (storage.slot_step != 1) json["storages"].back()["slot_step"] = storage.slot_step;
  }
  return json;
}

}  // namespace

std::string to_json(const Plan& plan) {
  return plan_json(plan).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Plan plan_from_json(const std::string& text) try {
  const Json json = Json::parse(text);
  if (json.at("format") != "ripc plan 1") {
    throw Error({.problem = "not a plan of this version",
                 .expected = "\"format\": \"ripc plan 1\"",
                 .found = json.at("format").dump()});
  }
  Plan plan;
  plan.model = json.at("model");
  plan.graph_hash = json.at("graph_hash");
  plan.arena_bytes = number(json, "arena_bytes");
  plan.alignment = number(json, "alignment");
  if (json.contains("state_bytes")) {
    plan.state_bytes = number(json, "state_bytes");
    plan.state_alignment = number(json, "state_alignment");
  }
  plan.lower_bound = number(json, "lower_bound");
  plan.proven = json.at("proven");
  plan.order_lower_bound = number(json, "order_lower_bound");
  plan.order_proven = json.at("order_proven");
  if (plan.lower_bound < 0 || plan.lower_bound > plan.arena_bytes ||
      (plan.proven && plan.lower_bound != plan.arena_bytes)) {
    throw Error({.problem = "the plan's lower bound cannot be",
                 .expected = fmt::format("0 to {}, and that if proven", plan.arena_bytes),
                 .found = std::to_string(plan.lower_bound)});
  }
  if (plan.order_lower_bound < 0 || plan.order_lower_bound > plan.arena_bytes) {
    throw Error({.problem = "the plan's lower bound over all orders cannot be",
                 .expected = fmt::format("0 to {}", plan.arena_bytes),
                 .found = std::to_string(plan.order_lower_bound)});
  }
  if (json.contains("progress")) plan.progress = region_from(json.at("progress"));
  plan.streamed_input = json.contains("streamed_input") && json.at("streamed_input").get<bool>();
  for (const Json& stage : json.value("stages", Json::array())) plan.schedule.stages.push_back(stage_from(stage));
  for (const Json& op : json.value("ops", Json::array())) {
    plan.ops.push_back({.op = whole<int>(op, "op"),
                        .kernel = op.at("kernel"),
                        .scratch = region_from(op.at("scratch")),
                        .kept = region_from(op.at("kept")),
                        .state = op.contains("state") ? region_from(op.at("state")) : Region{}});
    for (const Json& region : op.value("scratch_steps", Json::array())) {
      plan.ops.back().scratch_steps.push_back({.offset = region.at(0), .bytes = region.at(1)});
    }
  }
  for (const Json& storage : json.value("storages", Json::array())) {
    plan.storages.push_back({.tensor = whole<int>(storage, "tensor"),
                             .offset = number(storage, "offset"),
                             .row_bytes = number(storage, "row_bytes"),
                             .slots = whole<std::int64_t>(storage, "slots"),
                             .first_slot = storage.contains("first_slot") ? number(storage, "first_slot") : 0,
                             .slot_step = storage.contains("slot_step") ? number(storage, "slot_step") : 1,
                             .pixel_slots = storage.contains("pixel_slots") && storage.at("pixel_slots").get<bool>(),
                             .external = storage.at("external"),
                             .state = storage.contains("state") && storage.at("state").get<bool>(),
                             .pitch = number(storage, "pitch"),
                             .within = whole<int>(storage, "within")});
  }
  return plan;
} catch (const nlohmann::json::exception& fault) {
  throw Error({.problem = fmt::format("the plan cannot be read: {}", fault.what()),
               .remedy = "Write it again with ripc compile."});
}

std::string plan_hash(const Plan& plan) {
  const std::string text = to_json(plan);
  return fmt::format("{:016x}", fnv1a64(std::as_bytes(std::span(text))));
}

}  // namespace ripc
