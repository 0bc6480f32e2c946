// Elements, scales and numbers that all charts share. Text is set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const NONE = "–";

function element(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function svg(name, attributes = {}, ...children) {
  return element(document.createElementNS(SVG, name), attributes, children);
}

function html(name, attributes = {}, ...children) {
  return element(document.createElement(name), attributes, children);
}

// Numbers, as the Python side prints them.

function fixed(value, digits) {
  const written = value.toFixed(digits);
  return (Number(written) === 0 ? written.replace("-", "") : written).replace("-", "−");
}

const asStability = (value) => fixed(value, 2);
const asScore = ({ percent }) => (value) => (percent ? fixed(100 * value, 1) + "%" : fixed(value, 3));
const asScoreTick = ({ percent }) => (value) => (percent ? fixed(100 * value, 0) + "%" : fixed(value, 2));
const asShare = (value) => fixed(100 * value, 0) + "%";
const asCount = (number, one) => `${number.toLocaleString("en")} ${number === 1 ? one : `${one}s`}`;
const asSize = (value) => fixed(value, Number.isInteger(value) ? 0 : 1);

function withInterval(ends, formatted) {
  if (!ends) return NONE;
  const [value, low, high] = ends;
  const told = formatted(value);
  return low === null || high === null ? told : `${told} (${formatted(low)} to ${formatted(high)})`;
}

// The value, low and high of a curve at one place; null where it is undefined.
function at(curve, place) {
  if (!curve || place < 0 || curve[0][place] === null || curve[0][place] === undefined) return null;
  return curve.map((ends) => ends[place]);
}

// Scales.

function linear([low, high], [start, end]) {
  const span = high - low || 1;
  return (value) => start + ((value - low) / span) * (end - start);
}

function logarithmic([low, high], range) {
  const scale = linear([Math.log(low), Math.log(high)], range);
  return (value) => scale(Math.log(value));
}

function niceTicks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9; i++) ticks.push(i * step);
  return ticks;
}

// Whole numbers on a scale of sizes: as many as have room, the smallest and the largest among them.
function sizeTicks([low, high], scale, room) {
  const round = [];
  for (let power = 1; power <= high; power *= 10) round.push(power, 2 * power, 5 * power);
  const listed = high <= 50 ? Array.from({ length: high }, (_, i) => i + 1) : round;
  const first = high <= 50 ? listed.filter((k) => k % 5 === 0) : listed;
  const kept = [low, high];
  for (const k of [...first, ...listed]) {
    const clear = kept.every((other) => Math.abs(scale(k) - scale(other)) >= room);
    if (k > low && k < high && clear) kept.push(k);
  }
  return [...new Set(kept)].sort((a, b) => a - b);
}

// The frame of a chart: title above, axes, light lines, labels.
function frame({ width, height, margin, x, y, xTicks, yTicks, xTitle, yTitle, label }) {
  const drawn = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "group",
    "aria-label": label,
  });
  const [left, right] = [margin.left, width - margin.right];
  const bottom = height - margin.bottom;
  for (const [value, told] of yTicks) {
    drawn.append(
      svg("line", { x1: left, x2: right, y1: y(value), y2: y(value), class: "grid" }),
      svg("text", { x: left - 8, y: y(value) + 4, class: "tick", "text-anchor": "end" }, told),
    );
  }
  for (const [value, told] of xTicks) {
    drawn.append(
      svg("line", { x1: x(value), x2: x(value), y1: bottom, y2: bottom + 5, class: "axis" }),
      svg("text", { x: x(value), y: bottom + 19, class: "tick", "text-anchor": "middle" }, told),
    );
  }
  drawn.append(
    svg("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "axis" }),
    svg("text", { x: left - 40, y: 15, class: "title" }, yTitle),
    svg("text", { x: right, y: height - 6, class: "title", "text-anchor": "end" }, xTitle),
  );
  return drawn;
}

// The box with the numbers of what is pointed at or focused.
const tip = {
  box: document.getElementById("tip"),
  show(title, rows, x, y) {
    const pairs = rows.flatMap(([term, told]) => [html("dt", {}, term), html("dd", {}, told)]);
    this.box.replaceChildren(html("bdi", { class: "name" }, title), html("dl", {}, ...pairs));
    this.box.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = this.box;
    const left = Math.max(8, Math.min(x + 14, document.documentElement.clientWidth - w - 8));
    const above = y - h - 12;
    this.box.style.left = `${left + window.scrollX}px`;
    this.box.style.top = `${(above < 8 ? y + 18 : above) + window.scrollY}px`;
  },
  hide() {
    this.box.hidden = true;
  },
};

// Marks differ by shape, so that colour is never needed to tell them apart.
function mark(kind, x, y, r) {
  if (kind === "cross") {
    const d = `M${x - r},${y - r} L${x + r},${y + r} M${x - r},${y + r} L${x + r},${y - r}`;
    return svg("path", { d, class: "shape cross" });
  }
  if (kind === "star") return svg("path", { d: starPath(x, y, 1.8 * r), class: "shape star" });
  if (kind === "diamond") {
    const d = `M${x},${y - r} L${x + r},${y} L${x},${y + r} L${x - r},${y} Z`;
    return svg("path", { d, class: "shape diamond" });
  }
  return svg("circle", { cx: x, cy: y, r, class: "shape" });
}

function starPath(x, y, r) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const [angle, radius] = [(Math.PI * i) / 5, i % 2 ? 0.45 * r : r];
    return `${x + radius * Math.sin(angle)},${y - radius * Math.cos(angle)}`;
  });
  return `M${points.join(" L")} Z`;
}

// Of places for a label around a mark, the first that covers no other label or mark; null if none.
function freePlace(x, y, width, taken, bounds) {
  const corners = [-9, 17].map((dy) => [10, -10].map((dx) => ({ dx, dy, anchor: dx > 0 ? "start" : "end" })));
  const places = [
    ...corners.flat(),
    { dx: 12, dy: 4, anchor: "start" },
    { dx: -12, dy: 4, anchor: "end" },
    { dx: 0, dy: -16, anchor: "middle" },
    { dx: 0, dy: 24, anchor: "middle" },
  ];
  for (const place of places) {
    const shift = { start: 0, middle: width / 2, end: width }[place.anchor];
    const left = x + place.dx - shift;
    const box = [left, y + place.dy - 11, left + width, y + place.dy + 3];
    const inside = box[0] >= bounds[0] && box[2] <= bounds[1] && box[1] >= 0;
    const clear = taken.every(
      (b) => box[2] < b[0] || box[0] > b[2] || box[3] < b[1] || box[1] > b[3],
    );
    if (inside && clear) {
      taken.push(box);
      return { ...place, x: x + place.dx, y: y + place.dy };
    }
  }
  return null;
}

// Long labels lose their middle: those of one family often differ at the end.
const shortened = (label, most = 26) => {
  const letters = [...label];
  const kept = Math.floor((most - 1) / 2);
  if (letters.length <= most) return label;
  return `${letters.slice(0, most - 1 - kept).join("")}…${letters.slice(-kept).join("")}`;
};

const textWidth = (label) => 6.9 * [...label].length + 4;
