#include "report/page_assets.h"

#include <fmt/format.h>

#include "report/escape.h"

namespace ripc {
namespace {

constexpr std::size_t kLongestName = 120;

}  // namespace

std::string page_start(const std::string& name, const std::string& subject) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: {1}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>{2}</style></head><body>\n<h1>{0}</h1>\n",
      html_text(shortened(name, kLongestName)), subject, page_style());
}

const char* map_style() {
  return R"(
.map { display: block; font: 11px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; }
.map text { fill: #59636e; font-size: 11px; }
.map .page, .map .axis rect { fill: #ffffff; }
.map .heading { fill: #1d2125; font-size: 12px; font-weight: 600; }
.map .grid { stroke: #e4e7ea; }
.map .block { fill-opacity: .42; stroke-width: 1; }
.map .hue0 { fill: #4c8bf5; stroke: #2f6fdd; } .map .hue1 { fill: #2fb588; stroke: #1c8f69; }
.map .hue2 { fill: #e5b13a; stroke: #b98713; } .map .hue3 { fill: #9a6be0; stroke: #7c49c9; }
.map .hue4 { fill: #e0679a; stroke: #c0437a; } .map .hue5 { fill: #35adc9; stroke: #1c8aa5; }
.map .side { fill: #8a949e; stroke: #69727b; fill-opacity: .75; }
.map .ring { stroke-dasharray: 4 2; stroke-width: 1.5; }
.map .overlap { fill: url(#hatch); stroke: #3a4148; stroke-width: .8; stroke-dasharray: 2 2; }
.map .hatch { stroke: #1d2125; stroke-opacity: .38; stroke-width: 1.6; }
.map .fill { fill-opacity: .62; stroke: none; pointer-events: none; }
.map .labels { pointer-events: none; }
.map .labels text { fill: #14181c; text-anchor: middle; paint-order: stroke; stroke: #ffffff; stroke-width: 2.6px;
                   stroke-opacity: .8; stroke-linejoin: round; }
.map .off { display: none; }
.map .names text { text-anchor: end; }
.map .names .peak, .map .peak text, .map text.level { fill: #c2410c; font-weight: 600; }
.map .column { fill: #f97316; fill-opacity: .16; } .map .peak .tip { fill: #c2410c; }
.map .stage { fill: none; stroke: #69727b; stroke-dasharray: 5 3; }
.map line.arena { stroke: #c2410c; stroke-width: 1.4; } .map line.mark { stroke: #c2410c; stroke-dasharray: 6 4; }
.map .level { paint-order: stroke; stroke: #ffffff; stroke-width: 2.6px; stroke-linejoin: round; }
.map .chart .hit { fill: #8a949e; fill-opacity: .07; } .map .chart .live { fill: #4c8bf5; }
.map .chart .live.top { fill: #ea6a1f; }
.map .chart .dual { fill: none; stroke: #8a949e; }
.map .block:hover, .map .overlap:hover { stroke-width: 2.4; }
@media (prefers-color-scheme: dark) {
  .map text { fill: #9aa4ad; }
  .map .page, .map .axis rect { fill: #1b1f23; }
  .map .heading { fill: #e6e8ea; }
  .map .grid { stroke: #2c3238; }
  .map .block { fill-opacity: .46; }
  .map .hue0 { stroke: #7aabff; } .map .hue1 { stroke: #54d6aa; } .map .hue2 { stroke: #f2c95f; }
  .map .hue3 { stroke: #b895f0; } .map .hue4 { stroke: #f08fb8; } .map .hue5 { stroke: #63cfe6; }
  .map .overlap { stroke: #c5ccd2; } .map .hatch { stroke: #ffffff; stroke-opacity: .3; }
  .map .labels text { fill: #f4f6f8; stroke: #15181b; }
  .map .level { stroke: #1b1f23; }
  .map .names .peak, .map .peak text, .map text.level, .map .peak .tip { fill: #fb923c; }
  .map .column { fill: #fb923c; fill-opacity: .17; }
  .map line.arena, .map line.mark { stroke: #fb923c; }
  .map .chart .live { fill: #5b95f7; }
}
)";
}

const char* page_style() {
  return R"(
:root { color-scheme: light dark;
        --bg: #f6f7f8; --ink: #1d2125; --soft: #59636e; --line: #dfe2e5; --card: #ffffff; --mark: #c2410c; --on: #e8f0fe; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #131619; --ink: #e6e8ea; --soft: #9aa4ad; --line: #30363c; --card: #1b1f23; --mark: #fb923c;
          --on: #253040; }
}
body { margin: 0 auto; padding: 1.8rem 1.5rem 6rem; max-width: 96rem; background: var(--bg); color: var(--ink);
       font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; } h2 { margin: 2.2rem 0 .6rem; font-size: 1.1rem; }
p { color: var(--soft); margin: .2rem 0; } p.say { color: var(--ink); max-width: 84rem; }
p.say:first-of-type { font-size: 1.05rem; }
.cards { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; }
.card { flex: 1 1 11rem; padding: .7rem 1rem;
        background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.card b { display: block; font-size: 1.35rem; } .card span { color: var(--soft); font-size: .85rem; }
.scroll { overflow-x: auto;
          background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem; }
.tall { max-height: 46rem; overflow-y: auto; } .tall th { position: sticky; top: -.6rem; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .86rem; }
th { text-align: left; color: var(--soft); font-weight: 500; } th, td { padding: .2rem .55rem; white-space: nowrap; }
td.n, th.n { text-align: right; } tr + tr td { border-top: 1px solid var(--line); }
.ops td:first-child, .ops th:first-child, .ops td:nth-child(n+7), .ops th:nth-child(n+7) { text-align: right; }
tr.peak td { color: var(--mark); font-weight: 600; } tr.on td { background: var(--on); }
.ops td:nth-child(7) { min-width: 6rem;
  background: linear-gradient(to left, var(--line) calc(100% * var(--part)), transparent 0); }
.tools { display: flex; gap: .4rem; align-items: center; margin: .5rem 0; color: var(--soft); font-size: .85rem; }
.tools[hidden] { display: none; }
.tools button { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line);
                border-radius: .4rem; padding: .1rem .7rem; cursor: pointer; }
.picture:focus-visible, .map:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
.map .band { fill: #8a949e; fill-opacity: .22; pointer-events: none; }
.map .on { stroke-width: 2.6; fill-opacity: .75; } .map .overlap.on { stroke-width: 2; }
.map.dense .block, .map.dense .overlap { stroke: none; }
.map.dense .overlap { fill: #1d2125; fill-opacity: .16; } .map.dense .stage { display: none; }
#tip { position: fixed; z-index: 9; max-width: 30rem; padding: .5rem .75rem; background: var(--card); color: var(--ink);
       border: 1px solid var(--line); border-radius: .5rem; box-shadow: 0 4px 18px rgb(0 0 0 / .22); font-size: .85rem;
       line-height: 1.45; pointer-events: none; overflow-wrap: anywhere; }
#tip[hidden] { display: none; } #tip.pinned { border-color: var(--mark); pointer-events: auto; user-select: text; }
#tip div:first-child { font-weight: 600; } #tip div + div { color: var(--soft); }
)";
}

const char* page_script() {
  return R"(
(() => {
  'use strict';
  const map = document.querySelector('svg.map'), box = map.parentElement, tip = document.getElementById('tip');
  const left = +map.dataset.left, pitch = +map.dataset.pitch, columns = +map.dataset.columns;
  const height = map.viewBox.baseVal.height, margin = map.viewBox.baseVal.width - left - pitch * columns;
  const all = (selector, root = map) => Array.from(root.querySelectorAll(selector));
  const number = (element, name) => parseFloat(element.getAttribute(name));

  // What an element says of itself moves from its <title> to the panel.
  const words = new Map();
  for (const title of all('title')) {
    words.set(title.parentElement, title.textContent.split('\n'));
    title.parentElement.setAttribute('aria-label', title.textContent);
    title.remove();
  }

  // Zoom: columns grow and shrink, text stays as it is.
  const band = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const bars = all('.plot rect').map(e => [e, number(e, 'x'), number(e, 'width')]);
  const lines = all('.plot line').map(e => [e, number(e, 'x2')]);
  const places = all('.plot [transform]').map(e => {
    const [, x, rest] = /^translate\(([-\d.]+)(.*)$/.exec(e.getAttribute('transform'));
    return [e, +x, rest];
  });
  const labels = all('.labels > g').map(e => [Array.from(e.children), +e.dataset.room]);
  const needs = new Map(all('[data-w]').map(e => [e, +e.dataset.w]));
  const names = all('.names').map(e => all('text', e));
  const peak = all('.peak .column')[0];
  let zoom = 1, marked = -1, fitted = true;
  const at = x => left + (x - left) * zoom;

  function draw() {
    for (const [e, x, width] of bars) {
      e.setAttribute('x', at(x).toFixed(2));
      e.setAttribute('width', Math.max(width * zoom, 0.4).toFixed(2));
    }
    for (const [e, x] of lines) e.setAttribute('x2', at(x).toFixed(2));
    for (const [e, x, rest] of places) e.setAttribute('transform', `translate(${at(x).toFixed(2)}${rest}`);
    for (const [wordings, room] of labels) {
      const first = wordings.find(e => needs.get(e) <= room * zoom);
      for (const e of wordings) e.classList.toggle('off', e !== first);
    }
    const every = Math.ceil(13 / (pitch * zoom));
    for (const texts of names) {
      const top = texts.findIndex(e => e.classList.contains('peak'));
      texts.forEach((e, i) => {
        e.classList.toggle('off', i !== top && (i % every !== 0 || (top >= 0 && Math.abs(i - top) < every)));
      });
    }
    const width = left + pitch * columns * zoom + margin;
    for (const [e, x] of places) {
      if (!e.hasAttribute('dx') || e.classList.contains('level')) continue;
      const before = at(x) > width - 100;
      e.setAttribute('text-anchor', before ? 'end' : 'start');
      e.setAttribute('dx', before ? -9 : 9);
    }
    map.setAttribute('width', width);
    map.setAttribute('viewBox', `0 0 ${width} ${height}`);
    map.classList.toggle('dense', pitch * zoom < 7);
    mark(marked);
    follow();
  }
  function set(z, about) {
    fitted = false;
    const middle = about === undefined ? box.clientWidth / 2 : about;
    const place = (box.scrollLeft + middle - left) / zoom;
    zoom = Math.min(Math.max(z, 300 / (pitch * columns)), 220 / pitch);
    draw();
    box.scrollLeft = place * zoom + left - middle;
  }
  function fit() {
    set((box.clientWidth - 22 - left - margin) / (pitch * columns));
    fitted = true;
  }
  const centre = x => { box.scrollLeft = at(x) - box.clientWidth / 2; };
  function follow() {
    for (const e of all('.axis, .fixed')) e.style.transform = `translateX(${box.scrollLeft}px)`;
  }
  box.addEventListener('scroll', follow);
  box.addEventListener('wheel', event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    set(zoom * Math.exp(-event.deltaY / 300), event.clientX - box.getBoundingClientRect().left);
  }, { passive: false });

  // A column that the table of operators points at.
  band.setAttribute('class', 'band');
  band.setAttribute('y', 0);
  band.setAttribute('height', height);
  map.append(band);
  function mark(column) {
    marked = column;
    band.setAttribute('x', at(left + pitch * column).toFixed(2));
    band.setAttribute('width', column < 0 ? 0 : Math.max(0.6 * pitch * zoom, 2));
  }
  document.querySelectorAll('.ops tr + tr').forEach((row, i) => {
    const column = i + 1;
    row.addEventListener('pointerenter', () => mark(column));
    row.addEventListener('pointerleave', () => mark(-1));
    row.addEventListener('click', () => {
      if (pitch * zoom < 24) set(24 / pitch);
      centre(left + pitch * (column + 0.5));
      map.scrollIntoView({ block: 'nearest' });
    });
  });

  // The panel.
  let shown = null, pinned = false;
  function show(element, x, y) {
    if (shown) shown.classList.remove('on');
    shown = element;
    tip.hidden = !element;
    tip.classList.toggle('pinned', pinned);
    if (!element) return;
    element.classList.add('on');
    tip.replaceChildren(...words.get(element).map(line => {
      const div = document.createElement('div');
      div.textContent = line;
      return div;
    }));
    const { offsetWidth: w, offsetHeight: h } = tip;
    tip.style.left = `${Math.max(4, x + 16 + w > innerWidth ? x - w - 16 : x + 16)}px`;
    tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - h - 4))}px`;
  }
  function spoken(target) {
    for (let e = target; e && e !== map; e = e.parentElement) if (words.has(e)) return e;
    return null;
  }
  map.addEventListener('pointermove', event => {
    const element = spoken(event.target);
    if (!pinned && (element || shown)) show(element, event.clientX, event.clientY);
  });
  map.addEventListener('pointerleave', () => { if (!pinned) show(null); });
  map.addEventListener('click', event => {
    const element = spoken(event.target);
    pinned = element !== null && !(pinned && element === shown);
    show(pinned ? element : null, event.clientX, event.clientY);
  });

  // Keyboard: arrows walk through the blocks, Enter pins, Escape lets go.
  const blocks = all('.block, .overlap').filter(e => words.has(e));
  function walk(step) {
    const next = blocks[Math.min(Math.max(blocks.indexOf(shown) + step, 0), blocks.length - 1)];
    if (!next) return;
    const x = number(next, 'x'), seen = box.scrollLeft;
    if (x < seen + left || x > seen + box.clientWidth - 40) box.scrollLeft = x - box.clientWidth / 2;
    const frame = next.getBoundingClientRect();
    show(next, frame.right, frame.top);
  }
  map.setAttribute('tabindex', 0);
  map.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      ArrowRight: () => walk(1), ArrowLeft: () => walk(-1), '+': () => set(zoom * 1.5), '-': () => set(zoom / 1.5),
      '0': fit, Enter: () => { pinned = !pinned && shown !== null; tip.classList.toggle('pinned', pinned); },
      Escape: () => { pinned = false; show(null); }
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && pinned) { pinned = false; show(null); }
  });

  // Buttons.
  const tools = document.querySelector('.tools');
  const button = (name, act) => tools.querySelector(`[name=${name}]`).addEventListener('click', act);
  button('fit', fit);
  button('in', () => set(zoom * 1.5));
  button('out', () => set(zoom / 1.5));
  button('peak', () => {
    if (pitch * zoom < 48) set(48 / pitch);
    if (peak) centre(bars.find(([e]) => e === peak)[1]);
  });
  tools.hidden = false;
  fit();
  addEventListener('resize', () => { if (fitted) fit(); });
})();
)";
}

}  // namespace ripc
