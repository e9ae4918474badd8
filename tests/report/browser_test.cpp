// The page in a real browser: it renders without a fault, light and dark, and answers to mouse and keyboard.
#include "report/browser.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "report/html.h"
#include "report/memory_map.h"
#include "report/networks.h"
#include "report/pareto_page.h"

namespace ripc::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Page : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::optional<std::string> program = chromium();
    if (!program) return;
    std::string name = (fs::temp_directory_path() / "ripc_page_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directory(folder_ / "profile");
    browser_ = std::make_unique<Browser>(*program, folder_ / "profile");
  }
  static void TearDownTestSuite() {
    browser_.reset();
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  void SetUp() override {
    if (!browser_) GTEST_SKIP() << "no chromium: apt-get install chromium";
  }
  void TearDown() override {
    if (!browser_) return;
    for (const std::string& fault : browser_->faults()) ADD_FAILURE() << fault;
  }

  static void open(const std::string& name, const std::string& text, const std::string& scheme, bool script = true) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    browser_->open(folder_ / name, scheme, script);
  }
  static Json ask(const std::string& expression) { return browser_->ask(expression); }

  /// The middle of an element on the screen, scrolled into view first.
  static std::pair<double, double> middle_of(const std::string& element) {
    const Json place =
        ask("(() => { const e = " + element +
            "; e.scrollIntoView({block: 'center', inline: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()");
    return {place.at(0), place.at(1)};
  }

  static void expect_a_page(const Reported& made, const std::string& scheme);

  static inline fs::path folder_;
  static inline std::unique_ptr<Browser> browser_;
};

void Page::expect_a_page(const Reported& made, const std::string& scheme) {
  open("page.html", html_report(made.graph, made.plan, made.account), scheme);
  EXPECT_EQ(ask("document.querySelectorAll('.map .block').length"),
            made.account.blocks.size() + made.account.dual_blocks.size());
  EXPECT_EQ(ask("document.querySelectorAll('.ops tr + tr').length"), made.account.rows.size());
  EXPECT_EQ(ask("document.querySelectorAll('tr.peak').length"), 1);
  EXPECT_EQ(ask("getComputedStyle(document.body).backgroundColor"),
            scheme == "dark" ? "rgb(19, 22, 25)" : "rgb(246, 247, 248)");
  EXPECT_EQ(ask("getComputedStyle(document.querySelector('.map .page')).fill"),
            scheme == "dark" ? "rgb(27, 31, 35)" : "rgb(255, 255, 255)");
  EXPECT_TRUE(
      ask("document.querySelector('.picture').scrollWidth <= document.querySelector('.picture').clientWidth + 1"))
      << "it begins with all of the network in view";
  EXPECT_TRUE(ask("document.documentElement.scrollWidth <= innerWidth")) << "the page itself never scrolls sideways";
  EXPECT_TRUE(ask("document.getElementById('tip').hidden"));

  ask("document.querySelector('[name=peak]').click()");
  const auto [x, y] = middle_of("document.querySelectorAll('.map .hit.top')[0]");
  browser_->point_at(x, y);
  EXPECT_FALSE(ask("document.getElementById('tip').hidden").get<bool>());
  const std::string text = ask("document.getElementById('tip').innerText");
  const OpRow* peak = peak_row(made.account);
  EXPECT_TRUE(text.starts_with("op " + std::to_string(peak->source) + " " + peak->kind)) << text;
  EXPECT_NE(text.find("live"), std::string::npos) << text;
  browser_->point_at(2, 2);
  EXPECT_TRUE(ask("document.getElementById('tip').hidden"));
}

TEST_F(Page, TenTensorsInLight) { expect_a_page(reported(chain_graph()), "light"); }
TEST_F(Page, TenTensorsInDark) { expect_a_page(reported(chain_graph()), "dark"); }
TEST_F(Page, AThousandTensorsInLight) { expect_a_page(reported(long_graph(250)), "light"); }
TEST_F(Page, AThousandTensorsInDark) { expect_a_page(reported(long_graph(250)), "dark"); }
TEST_F(Page, AStageWithRings) { expect_a_page(staged(), "light"); }

TEST_F(Page, PointingShowsAndClickingPins) {
  const Reported made = reported(chain_graph());
  open("page.html", html_report(made.graph, made.plan, made.account), "light");
  const std::string shown = "document.getElementById('tip')";
  const auto [x, y] = middle_of("document.querySelector('.map .overlap')");
  browser_->point_at(x, y);
  const std::string text = ask(shown + ".innerText");
  EXPECT_NE(text.find("in place at op"), std::string::npos) << text;
  EXPECT_NE(text.find("gap "), std::string::npos) << text;
  EXPECT_EQ(ask("document.querySelectorAll('.map .on').length"), 1);

  browser_->click(x, y);
  browser_->point_at(2, 2);
  EXPECT_FALSE(ask(shown + ".hidden").get<bool>()) << "pinned";
  EXPECT_EQ(ask(shown + ".innerText"), text);
  browser_->press("Escape");
  EXPECT_TRUE(ask(shown + ".hidden"));
}

TEST_F(Page, TheKeyboardWalksThroughTheBlocks) {
  const Reported made = reported(chain_graph());
  open("page.html", html_report(made.graph, made.plan, made.account), "light");
  ask("document.querySelector('.map').focus()");
  const std::string shown = "document.getElementById('tip')";
  browser_->press("ArrowRight");
  const std::string first = ask(shown + ".innerText");
  EXPECT_NE(first.find("written by"), std::string::npos) << first;
  browser_->press("ArrowRight");
  EXPECT_NE(ask(shown + ".innerText"), first);
  browser_->press("ArrowLeft");
  EXPECT_EQ(ask(shown + ".innerText"), first);
  browser_->press("Enter");
  browser_->point_at(2, 2);
  EXPECT_FALSE(ask(shown + ".hidden").get<bool>());
  browser_->press("Escape");
  EXPECT_TRUE(ask(shown + ".hidden"));
}

TEST_F(Page, ZoomWidensColumnsAndLeavesTextAlone) {
  const Reported made = reported(long_graph(25));
  open("page.html", html_report(made.graph, made.plan, made.account), "light");
  const std::string width = "document.querySelector('.map .block').getBoundingClientRect().width";
  const std::string size = "document.querySelector('.map .names text').getBoundingClientRect().width";
  const double before = ask(width), text = ask(size);
  ask("document.querySelector('[name=in]').click()");
  EXPECT_NEAR(ask(width).get<double>() / before, 1.5, 0.05);
  EXPECT_NEAR(ask(size).get<double>(), text, 0.01);
  ask("document.querySelector('[name=fit]').click()");
  EXPECT_NEAR(ask(width).get<double>(), before, 0.05);
}

TEST_F(Page, LabelsAreWrittenOnlyWhereTheyFit) {
  const Reported made = reported(chain_graph());
  open("page.html", html_report(made.graph, made.plan, made.account), "light");
  for (const char* zoom : {"fit", "in", "in", "out"}) {
    ask("document.querySelector('[name=" + std::string(zoom) + "]').click()");
    // [what is written, width of the text, width of the place]
    const Json labels =
        ask("(() => { const m = document.querySelector('.map'), d = m.dataset;"
            " const zoom = (m.viewBox.baseVal.width - d.left - 16) / (d.pitch * d.columns);"
            " return Array.from(document.querySelectorAll('.labels text:not(.off)')).map(e =>"
            "   [e.textContent, e.getBoundingClientRect().width, e.parentElement.dataset.room * zoom]); })()");
    EXPECT_GT(labels.size(), 3U);
    for (const Json& label : labels) {
      EXPECT_LE(label.at(1).get<double>(), 1.25 * label.at(2).get<double>() + 4) << label.dump();
    }
  }
}

TEST_F(Page, WithoutItsScriptItStillSaysEverything) {
  const Reported made = reported(chain_graph());
  open("page.html", html_report(made.graph, made.plan, made.account), "light", false);
  EXPECT_EQ(ask("document.querySelectorAll('.map title').length >= " + std::to_string(made.account.blocks.size())),
            true);
  EXPECT_EQ(ask("getComputedStyle(document.querySelector('.tools')).display"), "none");
  EXPECT_EQ(ask("getComputedStyle(document.getElementById('tip')).display"), "none");
  EXPECT_GT(ask("document.querySelectorAll('.labels text:not(.off)').length"), 3);
}

TEST_F(Page, TheWaysHaveLabelsThatCanBeRead) {
  const Graph graph = canonicalize(chain_graph());
  // Two in one place, and two so near each other that their dots touch.
  const std::vector<ParetoPoint> ways{
      {.name = "operator by operator", .arena_bytes = 83'276, .fused_stages = 0, .calls = 174, .fetched_bytes = 1},
      {.name = "in stages", .arena_bytes = 28'864, .fused_stages = 1, .calls = 234, .fetched_bytes = 1},
      {.name = "in stages, input row by row",
       .arena_bytes = 27'808,
       .fused_stages = 1,
       .calls = 234,
       .fetched_bytes = 1,
       .streamed = true},
      {.name = "in blocks of rows", .arena_bytes = 25'440, .fused_stages = 1, .calls = 3'331, .fetched_bytes = 1},
      {.name = "in blocks, input row by row",
       .arena_bytes = 27'808,
       .fused_stages = 1,
       .calls = 234,
       .fetched_bytes = 1,
       .streamed = true}};
  for (const char* scheme : {"light", "dark"}) {
    open("ways.html", pareto_page(graph, ways), scheme);
    EXPECT_EQ(ask("getComputedStyle(document.querySelector('.ways .page')).fill"),
              scheme == std::string("dark") ? "rgb(27, 31, 35)" : "rgb(255, 255, 255)");
    EXPECT_TRUE(ask("document.documentElement.scrollWidth <= innerWidth"));
    // Labels that another label or a dot covers, or that leave the picture.
    const Json covered = ask(
        "(() => { const boxes = s => Array.from(document.querySelectorAll(s)).map(e => e.getBoundingClientRect());"
        " const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;"
        " const labels = boxes('.ways .label'), dots = boxes('.ways > circle'), frame = boxes('.ways .frame')[0];"
        " return labels.filter((a, i) => dots.some(b => meet(a, b)) || labels.some((b, j) => j < i && meet(a, b))"
        "   || a.left < frame.left || a.right > frame.right || a.top < frame.top || a.bottom > frame.bottom)"
        "   .length; })()");
    EXPECT_EQ(covered, 0);
    EXPECT_EQ(ask("document.querySelectorAll('.ways > circle > title').length"), ways.size());
  }
}

TEST_F(Page, HostileNamesRunNothing) {
  Reported made = reported(chain_graph());
  made.graph.name = "</title><script>document.body.dataset.broken = 1</script>";
  for (Tensor& tensor : made.graph.tensors) {
    tensor.name = "</text></script><img src=x onerror=\"document.body.dataset.broken=1\">'\"&\x01\xff" + tensor.name;
  }
  made = reported(made.graph);
  open("page.html", html_report(made.graph, made.plan, made.account), "light");
  EXPECT_EQ(ask("document.body.dataset.broken === undefined && document.images.length === 0"), true);
  ask("document.querySelector('.map').focus()");
  browser_->press("ArrowRight");
  const std::string text = ask("document.getElementById('tip').innerText");
  EXPECT_NE(text.find("</text></script><img src=x"), std::string::npos) << text;
  EXPECT_EQ(ask("document.images.length"), 0);
  open("map.svg", memory_map_file(made.graph, made.account), "dark");
  EXPECT_EQ(ask("document.documentElement.nodeName"), "svg") << "well-formed XML";
  EXPECT_EQ(ask("document.querySelectorAll('parsererror').length"), 0);
}

}  // namespace
}  // namespace ripc::test
