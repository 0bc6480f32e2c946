// Stability against accuracy: one mark a selector at its best size. Without accuracy, one row each.

const MOST_ROWS = 30;

function pointRows(selector, score) {
  const [stable, accurate] = selector.best.at;
  const rows = [
    ["features", asSize(selector.best.size)],
    ["stability", withInterval(stable, asStability)],
  ];
  if (accurate) rows.push([score.noun, withInterval(accurate, asScore(score))]);
  if (selector.pareto) rows.push(["Pareto front", "yes"]);
  if (selector.barred) rows.push(["not recommended", selector.barred]);
  return rows;
}

function markKind(view, place) {
  if (place === view.data.advice.selector) return "star";
  const { baseline, barred } = view.data.selectors[place];
  return baseline ? "cross" : barred ? "diamond" : "circle";
}

// Selectors that have a mark, those drawn last on top: the picked and the recommended one.
function marked(view, accurate) {
  const { selectors, advice } = view.data;
  const priority = (place) =>
    place === view.state.selector ? 3 : place === advice.selector ? 2 : selectors[place].pareto ? 1 : 0;
  return selectors
    .map((_, place) => place)
    .filter((p) => selectors[p].best && selectors[p].best.at[0] && (!accurate || selectors[p].best.at[1]))
    .sort((a, b) => priority(a) - priority(b) || a - b);
}

function drawPlane(view, width) {
  const places = marked(view, true);
  if (!places.length) return drawRows(view, width);
  const { selectors, majority, score } = view.data;
  const margin = { top: 34, right: 20, bottom: 46, left: 52 };
  const height = Math.round(Math.min(420, Math.max(320, 0.48 * width)));
  const ends = (which) => places.flatMap((p) => selectors[p].best.at[which].filter((v) => v !== null));
  const [low, high, below] = accuracyRange(ends(1), majority, score);
  const x = linear([Math.min(-0.05, ...ends(0)), 1.02], [margin.left, width - margin.right]);
  const y = linear([low, high], [height - margin.bottom, margin.top]);
  const drawn = frame({
    ...{ width, height, margin, x, y },
    xTicks: niceTicks(0, 1, width < 480 ? 5 : 10).map((v) => [v, fixed(v, 1)]),
    yTicks: niceTicks(Math.min(low, high), Math.max(low, high), 6).map((v) => [v, asScoreTick(score)(v)]),
    xTitle: "stability →",
    yTitle: axisTitle(score),
    label: `Stability against ${score.noun}, one mark a selector; arrow keys go from mark to mark`,
  });
  const taken = [];
  reference(drawn, taken, "chance", { x1: x(0), x2: x(0), y1: margin.top, y2: height - margin.bottom });
  majorityLine(drawn, taken, view.data, below, { x1: margin.left, x2: width - margin.right }, y, low);
  drawn.append(front(view, places, x, y));
  const where = (p) => [x(selectors[p].best.at[0][0]), y(selectors[p].best.at[1][0])];
  places.forEach((p) => taken.push(around(...where(p))));
  drawn.classList.toggle("many", places.length > MANY);
  for (const p of places) drawn.append(planeMark(view, p, ...where(p), x, y));
  labels(view, [...places].reverse(), where, drawn, taken, width);
  return pointAtMarks(view, drawn);
}

// The better is on top: a score whose small values are good falls upwards.
const axisTitle = ({ noun, lower }) => (lower ? `${noun} (lower is better)` : noun);

// The scores at the bottom and top, and whether the majority lies so far below that it stays off the chart.
function accuracyRange(values, majority, { lower, largest }) {
  const sign = lower ? -1 : 1;
  const known = values.filter((v) => v !== null).map((v) => sign * v);
  const [lowest, highest] = known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
  const without = majority === null ? null : sign * majority;
  const below = without !== null && lowest - without > Math.max(0.05, highest - lowest);
  const bottom = without === null || below ? lowest : Math.min(lowest, without);
  const top = without === null ? highest : Math.max(highest, without);
  const room = Math.max(0.01, 0.08 * (top - bottom));
  const [least, most] = lower ? [-(largest ?? Infinity), 0] : [0, largest];
  return [sign * Math.max(least, bottom - room), sign * Math.min(most, top + room), below];
}

function majorityLine(drawn, taken, { majority, score }, below, across, y, low) {
  if (majority === null) return;
  const told = `${score.blind}: ${asScore(score)(majority)}`;
  if (!below) return reference(drawn, taken, told, { ...across, y1: y(majority), y2: y(majority) });
  const where = { x: across.x2, y: y(low) - 8, class: "note", "text-anchor": "end" };
  drawn.append(svg("text", where, `↓ ${told}`));
  taken.push([across.x2 - textWidth(told), y(low) - 20, across.x2, y(low) - 4]);
}

const around = (x, y) => [x - 6, y - 6, x + 6, y + 6];

function reference(drawn, taken, told, ends) {
  const upright = ends.x1 === ends.x2;
  const [x, y] = upright ? [ends.x1 + 5, ends.y1 + 10] : [ends.x2, ends.y1 - 6];
  const anchor = upright ? "start" : "end";
  drawn.append(
    svg("line", { ...ends, class: "reference" }),
    svg("text", { x, y, class: "note", "text-anchor": anchor }, told),
  );
  const width = 0.85 * textWidth(told);
  taken.push([upright ? x : x - width, y - 12, upright ? x + width : x, y + 3]);
}

// The line through the selectors of the front, from the most accurate to the most stable.
function front(view, places, x, y) {
  const on = places
    .filter((p) => view.data.selectors[p].pareto)
    .map((p) => view.data.selectors[p].best.at)
    .sort((a, b) => a[0][0] - b[0][0] || b[1][0] - a[1][0]);
  const points = on.map(([s, a]) => `${x(s[0])},${y(a[0])}`).join(" ");
  return svg("polyline", { points, class: "front" });
}

function planeMark(view, place, cx, cy, x, y) {
  const selector = view.data.selectors[place];
  const [stable, accurate] = selector.best.at;
  const bars = [];
  const bar = (ends, line) => ends && ends[1] !== null && ends[2] !== null && bars.push(svg("line", line()));
  bar(stable, () => ({ x1: x(stable[1]), x2: x(stable[2]), y1: cy, y2: cy, class: "bars" }));
  bar(y && accurate, () => ({ x1: cx, x2: cx, y1: y(accurate[1]), y2: y(accurate[2]), class: "bars" }));
  const told = pointRows(selector, view.data.score).map(([term, value]) => `${term} ${value}`).join(", ");
  const group = svg(
    "g",
    {
      class: markClass(view, place),
      role: "button",
      "data-selector": place,
      "aria-pressed": String(place === view.state.selector),
      "aria-label": `${selector.label}: ${told}`,
      tabindex: place === view.state.selector ? 0 : -1,
    },
    ...bars,
    mark(markKind(view, place), cx, cy, 5),
    svg("circle", { cx, cy, r: 14, class: "target" }),
  );
  group.addEventListener("focus", () => showMark(view, group));
  group.addEventListener("blur", () => tip.hide());
  return group;
}

function showMark(view, group) {
  const selector = view.data.selectors[group.dataset.selector];
  const box = group.querySelector(".target").getBoundingClientRect();
  tip.show(selector.label, pointRows(selector, view.data.score), box.left + box.width / 2, box.top);
}

// Marks lie close together: the nearest one is meant.
const REACH = 24;

function pointAtMarks(view, drawn) {
  const nearest = (event) => {
    const distance = (group) => {
      const box = group.querySelector(".target").getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      return Math.hypot(event.clientX - x, event.clientY - y);
    };
    const groups = [...drawn.querySelectorAll("[data-selector]")].reverse();
    const found = groups.map((group) => [distance(group), group]).sort((a, b) => a[0] - b[0])[0];
    return found && found[0] <= REACH ? found[1] : null;
  };
  const point = (group) => {
    drawn.querySelector(".pointed")?.classList.remove("pointed");
    group?.classList.add("pointed");
    drawn.classList.toggle("pointing", Boolean(group));
    if (group) showMark(view, group);
    else tip.hide();
  };
  drawn.addEventListener("pointermove", (event) => point(nearest(event)));
  drawn.addEventListener("pointerleave", () => point(null));
  drawn.addEventListener("click", (event) => {
    const group = nearest(event);
    if (group) view.pick({ selector: Number(group.dataset.selector) });
  });
  return drawn;
}

function markClass(view, place) {
  const { selectors, advice } = view.data;
  const kinds = ["mark-of"];
  if (place === advice.selector) kinds.push("recommended");
  if (place === view.state.selector) kinds.push("picked");
  if (selectors[place].pareto) kinds.push("pareto");
  return kinds.join(" ");
}

function labels(view, places, where, drawn, taken, width) {
  const { selectors, advice } = view.data;
  for (const p of places) {
    const important = p === view.state.selector || p === advice.selector;
    if (!important && places.length > 30 && !selectors[p].pareto && !selectors[p].baseline) continue;
    const told = shortened(selectors[p].label, width < 480 ? 16 : 26);
    const [x, y] = where(p);
    const above = important ? { x, y: y - 18, anchor: "middle" } : null;
    const free = freePlace(x, y, textWidth(told), taken, [0, width]) ?? above;
    if (!free) continue;
    const kind = important ? "label important" : "label";
    drawn.append(svg("text", { x: free.x, y: free.y, "text-anchor": free.anchor, class: kind }, told));
  }
}

// Without accuracy: the selectors below each other, the most stable first.
function drawRows(view, width) {
  const { selectors, advice } = view.data;
  const value = (p) => selectors[p].best.at[0][0];
  const sorted = marked(view, false).sort((a, b) => value(b) - value(a) || a - b);
  const kept = sorted.filter(
    (p, i) => i < MOST_ROWS || p === advice.selector || p === view.state.selector || selectors[p].baseline,
  );
  if (!kept.length) return html("p", { class: "none" }, "No selector has a stability to show.");
  const margin = { top: 34, right: 20, bottom: 46, left: width < 480 ? 120 : 200 };
  const height = margin.top + margin.bottom + 24 * kept.length;
  const lows = kept.flatMap((p) => selectors[p].best.at[0].filter((v) => v !== null));
  const x = linear([Math.min(-0.05, ...lows), 1.02], [margin.left, width - margin.right]);
  const cut = kept.length < sorted.length;
  const drawn = frame({
    ...{ width, height, margin, x, y: (v) => v, yTicks: [] },
    xTicks: niceTicks(0, 1, width < 480 ? 5 : 10).map((v) => [v, fixed(v, 1)]),
    xTitle: "stability →",
    yTitle: cut ? `the ${MOST_ROWS} most stable of ${sorted.length} selectors` : "",
    label: "Stability of each selector; arrow keys go from mark to mark",
  });
  reference(drawn, [], "chance", { x1: x(0), x2: x(0), y1: margin.top - 8, y2: height - margin.bottom });
  kept.forEach((p, row) => {
    const cy = margin.top + 24 * (row + 0.5);
    const told = shortened(selectors[p].label, width < 480 ? 15 : 26);
    const important = p === view.state.selector || p === advice.selector;
    const kind = important ? "label important" : "label";
    drawn.append(
      svg("line", { x1: margin.left, x2: width - margin.right, y1: cy, y2: cy, class: "grid" }),
      svg("text", { x: margin.left - 12, y: cy + 4, "text-anchor": "end", class: kind }, told),
      planeMark(view, p, x(value(p)), cy, x, null),
    );
  });
  return pointAtMarks(view, drawn);
}

// Arrow keys go from mark to mark, from left to right; Enter and the space bar pick one.
function planeKeys(view, figure) {
  figure.addEventListener("keydown", (event) => {
    const here = event.target.closest("[data-selector]");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const place = Number(here.dataset.selector);
      view.pick({ selector: place });
      figure.querySelector(`[data-selector="${place}"]`).focus();
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const x = (group) => Number(group.querySelector(".target").getAttribute("cx"));
    const groups = [...figure.querySelectorAll("[data-selector]")].sort((a, b) => x(a) - x(b));
    const next = groups[groups.indexOf(here) + step];
    if (next) next.focus();
  });
}
