// The picture and the page as text: whole, escaped, small, and the same twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "report/escape.h"
#include "report/html.h"
#include "report/memory_map.h"
#include "report/networks.h"

namespace ripc::test {
namespace {

std::size_t times(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) ++count;
  return count;
}

/// The text of an element and its attributes: only what this project writes may open a tag.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with('/')) {
      ASSERT_FALSE(open.empty()) << tag;
      ASSERT_EQ("/" + open.back(), tag);
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    EXPECT_EQ(std::ranges::count(tag, '"') % 2, 0) << tag;
  }
  EXPECT_TRUE(open.empty());
}

TEST(Picture, ShowsEveryBlockOnce) {
  const Reported made = reported(chain_graph());
  const std::string svg = memory_map_svg(made.graph, made.account);
  EXPECT_EQ(times(svg, "<rect class=\"block "), made.account.blocks.size() + made.account.dual_blocks.size());
  EXPECT_EQ(times(svg, "<rect class=\"overlap\""), overlaps_of(made.account.blocks).size());
  EXPECT_GT(times(svg, ">gap "), 0U);
  EXPECT_EQ(times(svg, "peak: op"), 2U) << "one a plan";
  for (const Block& block : made.account.blocks) {
    if (block.kind != BlockKind::tensor) continue;
    const Tensor& tensor = made.graph.tensors[static_cast<std::size_t>(block.tensor)];
    EXPECT_NE(svg.find("<title>" + tensor.name + "\n" + shape_text(tensor.shape) + " int8, "), std::string::npos);
  }
  expect_well_formed(svg);
  expect_well_formed(memory_map_file(made.graph, made.account));
}

TEST(Picture, ShowsRingsAndScratchOfAStage) {
  const Reported made = staged();
  const std::string svg = memory_map_svg(made.graph, made.account);
  EXPECT_EQ(times(svg, " ring\""), 2U);
  EXPECT_EQ(times(svg, "3 rows at a time of 1x10x6x12 int8, 216 B"), 1U);
  EXPECT_EQ(times(svg, "<rect class=\"stage\""), 1U);
  EXPECT_EQ(times(svg, "scratch of op 2"), 1U);
  expect_well_formed(svg);
}

TEST(Picture, IsOneForAPlanThatIsTheDualBuffer) {
  Reported made = reported(chain_graph());
  PlanOptions options;
  options.memory.in_place = false;
  const Plan plan = make_plan(made.graph, options);
  const std::string svg = memory_map_svg(made.graph, account_of(made.graph, plan, options));
  EXPECT_EQ(times(svg, "Dual buffer, best placement"), 0U);
  EXPECT_EQ(times(svg, "<rect class=\"overlap\""), 0U);
}

TEST(Picture, TheSameTwiceAndNothingFromOutside) {
  const Reported one = reported(chain_graph()), two = reported(chain_graph());
  const std::string page = html_report(one.graph, one.plan, one.account);
  EXPECT_EQ(page, html_report(two.graph, two.plan, two.account));
  for (const char* word : {"src=", "href=", "@import", "url(http", "fetch("}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(times(page, "http"), times(page, "http://www.w3.org/2000/svg")) << "names of the language only";
}

TEST(Picture, AThousandTensorsStayBelowTwoMegabytes) {
  const Reported made = reported(long_graph(250));
  ASSERT_GE(made.account.blocks.size(), 1000U);
  const std::string page = html_report(made.graph, made.plan, made.account);
  EXPECT_LT(page.size(), 2'000'000U);
  expect_well_formed(memory_map_svg(made.graph, made.account));
}

TEST(Picture, NamesAreHostile) {
  Reported made = reported(chain_graph());
  made.graph.name = "</title><script>alert(1)</script>";
  const char* names[] = {"</script><script>alert(2)</script>",
                         "\"onload=\"alert(3)",
                         "' & <b>",
                         "line\nfeed\ttab\x01\x7f",
                         "not utf-8 \xff\xc3(\xe2\x82",
                         "\xe2\x80\xae"
                         "turned",
                         "\xc3\xa9t\xc3\xa9 \xe6\xbc\xa2",
                         ""};
  for (std::size_t i = 0; i < made.graph.tensors.size(); ++i) made.graph.tensors[i].name = names[i % std::size(names)];
  made.graph.tensors[0].name = std::string(100'000, 'x');
  made = reported(made.graph);
  const std::string page = html_report(made.graph, made.plan, made.account);
  EXPECT_EQ(times(page, "<script>"), 1U);
  EXPECT_EQ(times(page, "</script>"), 1U);
  EXPECT_EQ(page.find("\"onload"), std::string::npos);
  EXPECT_EQ(page.find("<b>'"), std::string::npos);
  EXPECT_LT(page.size(), 200'000U);
  const std::string svg = memory_map_file(made.graph, made.account);
  expect_well_formed(svg);
  for (const char c : svg) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << static_cast<int>(c);
  EXPECT_NE(svg.find("\xc3\xa9t\xc3\xa9 \xe6\xbc\xa2"), std::string::npos) << "what is no attack is kept";
}

TEST(Escape, ReplacesWhatIsNoText) {
  const std::string no = "\xEF\xBF\xBD";
  EXPECT_EQ(html_text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(html_text(std::string("a\0b\n", 4)), "a" + no + "b" + no);
  EXPECT_EQ(html_text("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(html_text("\xc0\x80"), no + no) << "an overlong zero";
  EXPECT_EQ(html_text("\xed\xa0\x80"), no + no + no) << "half a surrogate pair";
  EXPECT_EQ(html_text("\xe2\x82"), no + no) << "cut off";
  EXPECT_EQ(html_text("\xef\xbf\xbf"), no) << "U+FFFF is no XML";
  EXPECT_EQ(html_text("\xc2\x85\xe2\x80\xae"), no + no);
}

TEST(Escape, ShortensInTheMiddle) {
  const std::string dots = "\xE2\x80\xA6";
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdef", 5), "ab" + dots + "ef");
  EXPECT_EQ(shortened("abcdef", 2), dots + "f");
  EXPECT_EQ(shortened("abcdef", 1), dots);
  EXPECT_EQ(shortened("abcdef", 0), "");
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3), "\xc3\xa9" + dots + "\xc3\xa9");
  for (std::size_t most = 0; most < 12; ++most)
    EXPECT_LE(character_count(shortened("a\xff\xc3\xa9xyz\xe2\x82", most)), most);
}

}  // namespace
}  // namespace ripc::test
