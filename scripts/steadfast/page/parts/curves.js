// Stability and accuracy by number of features, side by side where there is room.

// With more selectors than this, those that are not picked are drawn paler.
const MANY = 20;

function drawCurves(view, width) {
  const scored = view.state.classifier !== null;
  const beside = scored && width >= 760;
  const each = beside ? Math.floor((width - 28) / 2) : width;
  const charts = [drawCurve(view, each, "stability")];
  if (scored) charts.push(drawCurve(view, each, "accuracy"));
  const kinds = ["panels", beside ? "beside" : "", view.data.selectors.length > MANY ? "many" : ""];
  return html("div", { class: kinds.join(" ").trim() }, ...charts);
}

const curveOf = (view, place, of) => {
  const selector = view.data.selectors[place];
  return of === "stability" ? selector.stability : selector.accuracy[view.state.classifier];
};

const ownOf = (view, place, of) => {
  const { own } = view.data.selectors[place];
  return own && (of === "stability" ? own.stability : own.accuracy[view.state.classifier]);
};

// The smallest and largest size to draw: of the curves, or that a selector chose itself.
function sizeEnds({ sizes, selectors }) {
  const all = [...sizes, ...selectors.flatMap((s) => (s.own ? [s.own.size] : []))];
  return [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))];
}

function sizeScale([low, high], range) {
  if (low === high) return linear([low - 1, high + 1], range);
  return high > 50 ? logarithmic([low, high], range) : linear([low, high], range);
}

function curveRange(view, of) {
  if (of === "stability") {
    const lowest = view.data.selectors.flatMap((s) => (s.stability ? s.stability[0] : []));
    return [Math.min(-0.05, ...lowest.filter((v) => v !== null)), 1, false];
  }
  const found = view.data.selectors.flatMap((_, place) => {
    const [curve, own] = [curveOf(view, place, of), ownOf(view, place, of)];
    const banded = [view.state.selector, view.data.advice.selector].includes(place);
    return [...(curve ? (banded ? curve.flat() : curve[0]) : []), ...(own || [])];
  });
  return accuracyRange(found, view.data.majority, view.data.score);
}

function drawCurve(view, width, of) {
  const { sizes, selectors, advice, score } = view.data;
  const height = Math.round(Math.min(360, Math.max(290, 0.66 * width)));
  const margin = { top: 56, right: 16, bottom: 46, left: 52 };
  const [low, high, below] = curveRange(view, of);
  const ends = sizeEnds(view.data);
  const x = sizeScale(ends, [margin.left + 8, width - margin.right - 8]);
  const y = linear([low, high], [height - margin.bottom, margin.top]);
  const stable = of === "stability";
  const picked = selectors[view.state.selector].label;
  const drawn = frame({
    ...{ width, height, margin, x, y },
    xTicks: sizeTicks(ends, x, width < 480 ? 30 : 44).map((k) => [k, asSize(k)]),
    yTicks: niceTicks(Math.min(low, high), Math.max(low, high), 5).map((v) => [v, stable ? fixed(v, 1) : asScoreTick(score)(v)]),
    xTitle: "number of features →",
    yTitle: stable ? "stability" : `${axisTitle(score)}, ${shortened(view.data.classifiers[view.state.classifier], 20)}`,
    label: `${stable ? "Stability" : score.label} by number of features, ${picked} highlighted`,
  });
  const across = { x1: margin.left, x2: width - margin.right };
  if (stable) reference(drawn, [], "chance", { ...across, y1: y(0), y2: y(0) });
  else majorityLine(drawn, [], view.data, below, across, y, low);
  for (const [place, kind] of drawingOrder(view)) drawn.append(...curveLines(view, place, kind, of, x, y));
  drawn.append(...upright(view, x, ends, margin, height));
  for (const place of new Set([advice.selector, view.state.selector])) {
    if (place !== null) drawn.append(...knotMark(view, place, of, x, y));
  }
  drawn.append(...pickedMark(view, of, x, y));
  if (sizes.length) hoverSizes(view, drawn, of, x, { width, height, margin });
  return drawn;
}

// Muted ones first, then chance, the recommended one, and the picked one on top.
function drawingOrder(view) {
  const { selectors, advice } = view.data;
  const kind = (place) => {
    if (place === view.state.selector) return "picked";
    if (place === advice.selector) return "recommended";
    return selectors[place].baseline ? "random" : "muted";
  };
  const order = ["muted", "random", "recommended", "picked"];
  return selectors
    .map((_, place) => [place, kind(place)])
    .sort((a, b) => order.indexOf(a[1]) - order.indexOf(b[1]) || a[0] - b[0]);
}

// Places at which a curve is defined; between sizes that were not scored it is drawn straight.
function defined(values) {
  return values.map((value, place) => (value === null ? null : place)).filter((place) => place !== null);
}

function curveLines(view, place, kind, of, x, y) {
  const { sizes, advice } = view.data;
  const own = ownOf(view, place, of);
  const curve = curveOf(view, place, of);
  const name = `${kind}${place === advice.selector && kind === "picked" ? " recommended" : ""}`;
  const drawn = [];
  if (curve) {
    const [value, low, high] = curve;
    if (kind === "picked" || kind === "recommended") {
      const places = defined(value.map((v, i) => (low[i] === null || high[i] === null ? null : v)));
      const there = places.map((i) => `${x(sizes[i])},${y(high[i])}`);
      const back = places.reverse().map((i) => `${x(sizes[i])},${y(low[i])}`);
      drawn.push(svg("polygon", { points: [...there, ...back].join(" "), class: `band ${name}` }));
    }
    const points = defined(value).map((i) => `${x(sizes[i])},${y(value[i])}`).join(" ");
    drawn.push(svg("polyline", { points, class: `line ${name}` }));
  }
  const size = own && view.data.selectors[place].own.size;
  if (own) {
    if (kind !== "muted" && own[1] !== null && own[2] !== null) {
      drawn.push(svg("line", { x1: x(size), x2: x(size), y1: y(own[1]), y2: y(own[2]), class: `line ${name}` }));
    }
    drawn.push(svg("g", { class: `own ${name}` }, mark("circle", x(size), y(own[0]), kind === "muted" ? 3 : 5)));
  }
  return drawn;
}

// The recommended size, and the picked one where it is another.
function upright(view, x, [smallest, largest], margin, height) {
  const { advice } = view.data;
  const drawn = [];
  const add = (size, told, kind) => {
    const right = x(size) > x(largest) - 110;
    const top = margin.top - (kind === "picked" ? 7 : 22);
    const line = { x1: x(size), x2: x(size), y1: top - 9, y2: height - margin.bottom };
    const label = { x: x(size) + (right ? -5 : 5), y: top };
    drawn.push(
      svg("line", { ...line, class: `size ${kind}` }),
      svg("text", { ...label, class: `note ${kind}`, "text-anchor": right ? "end" : "start" }, told),
    );
  };
  const inside = (size) => size !== null && size >= smallest && size <= largest;
  if (inside(advice.size)) add(advice.size, `recommended: ${asSize(advice.size)}`, "recommended");
  const { size } = view.state;
  if (inside(size) && size !== advice.size) add(size, `picked: ${asSize(size)}`, "picked");
  return drawn;
}

function knotMark(view, place, of, x, y) {
  const { sizes, selectors } = view.data;
  const { knot } = selectors[place];
  const found = at(curveOf(view, place, of), sizes.indexOf(knot));
  if (of !== "stability" || !found) return [];
  const kind = place === view.state.selector ? "picked" : "recommended";
  const [cx, cy] = [x(knot), y(found[0])];
  const right = cx > x(sizes[sizes.length - 1]) - 60;
  const label = { x: cx + (right ? -9 : 9), y: cy - 7, "text-anchor": right ? "end" : "start" };
  return [
    svg("g", { class: `knot ${kind}` }, mark("diamond", cx, cy, 6)),
    svg("text", { ...label, class: "note" }, `knot: ${knot}`),
  ];
}

function pickedMark(view, of, x, y) {
  const { sizes } = view.data;
  const { selector, size } = view.state;
  const found = size === null ? null : at(curveOf(view, selector, of), sizes.indexOf(size));
  return found ? [svg("g", { class: "at picked" }, mark("circle", x(size), y(found[0]), 4))] : [];
}

// Pointing at a chart shows the numbers of the nearest size; a click picks it.
function hoverSizes(view, drawn, of, x, { width, height, margin }) {
  const { sizes, selectors, advice, score } = view.data;
  const guide = svg("line", { y1: margin.top, y2: height - margin.bottom, class: "guide", visibility: "hidden" });
  const [w, h] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
  const area = svg("rect", { x: margin.left, y: margin.top, width: w, height: h, class: "area" });
  const nearest = (event) => {
    const box = drawn.getBoundingClientRect();
    const here = ((event.clientX - box.left) / box.width) * width;
    return sizes.reduce((a, b) => (Math.abs(x(b) - here) < Math.abs(x(a) - here) ? b : a));
  };
  const [noun, formatted] = of === "stability" ? [of, asStability] : [score.noun, asScore(score)];
  area.addEventListener("pointermove", (event) => {
    const size = nearest(event);
    const shown = [...new Set([view.state.selector, advice.selector])].filter((p) => p !== null);
    selectors.forEach((s, place) => s.baseline && !shown.includes(place) && shown.push(place));
    const rows = shown.map((place) => [
      shortened(selectors[place].label),
      withInterval(at(curveOf(view, place, of), sizes.indexOf(size)), formatted),
    ]);
    guide.setAttribute("x1", x(size));
    guide.setAttribute("x2", x(size));
    guide.setAttribute("visibility", "visible");
    tip.show(`${noun}, ${size} ${size === 1 ? "feature" : "features"}`, rows, event.clientX, event.clientY);
  });
  area.addEventListener("pointerleave", () => {
    guide.setAttribute("visibility", "hidden");
    tip.hide();
  });
  area.addEventListener("click", (event) => view.pick({ size: nearest(event) }));
  drawn.append(guide, area);
}
