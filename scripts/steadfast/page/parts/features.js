// The features of a pick: how often each is selected, and its mean rank, counted from the runs.
// All else is the same for every pick, and comes as it is printed.

// Rows that are shown, and trusted ones that are.
const FIRST_ROWS = 50;
const MOST_TRUSTED = 200;

// The features of a run, as many digits each as the last of all features needs.
function unpacked({ digits, features }, run) {
  const values = new Map([...digits].map((digit, value) => [digit, value]));
  let width = 1;
  while (digits.length ** width < features.length) width += 1;
  return Array.from({ length: run.length / width }, (_, place) => {
    const written = [...run.slice(place * width, (place + 1) * width)];
    return written.reduce((sum, digit) => sum * digits.length + values.get(digit), 0);
  });
}

// Frequency and mean rank of every feature that some run lists, and of trusted ones: these come first.
function countFeatures(view, runs) {
  const { advice, features } = view.data;
  const trusted = new Set(advice.trusted);
  const counts = new Map([...trusted].map((feature) => [feature, { feature, count: 0, ranks: 0 }]));
  for (const run of runs) {
    run.forEach((feature, place) => {
      const found = counts.get(feature) || { feature, count: 0, ranks: 0 };
      found.count += 1;
      found.ranks += place + 1;
      counts.set(feature, found);
    });
  }
  const votes = ({ feature }) => features[feature][3] ?? 0;
  return [...counts.values()]
    .map(({ feature, count, ranks }) => ({
      feature,
      trusted: trusted.has(feature),
      frequency: count / runs.length,
      meanRank: count ? ranks / count : Infinity,
    }))
    .sort(
      (a, b) =>
        b.trusted - a.trusted ||
        b.frequency - a.frequency ||
        votes(b) - votes(a) ||
        (a.meanRank === b.meanRank ? 0 : a.meanRank - b.meanRank) ||
        a.feature - b.feature,
    );
}

function frequencyBar(frequency) {
  const bar = svg(
    "svg",
    { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { width: 100, height: 8, class: "whole" }),
    svg("rect", { width: 100 * frequency, height: 8, class: "filled" }),
  );
  return html("span", { class: "frequency" }, bar, html("span", {}, asShare(frequency)));
}

// An effect with its interval, and of what, where the direction does not name it.
function effectCell(cell) {
  if (!cell) return [NONE];
  const [value, interval, level, label] = cell;
  const small = (kind, ...content) => [" ", html("small", { class: kind }, ...content)];
  return [
    value,
    ...(interval ? small("interval", interval) : []),
    ...(level ? small("note", "points, share of ", bdi(level)) : []),
    ...(label ? small("note", bdi(label), " against all others") : []),
  ];
}

// What stands in the columns of a feature, by their keys, each in pieces.
function cellsOf(view, entry) {
  const { features, advice, selectors } = view.data;
  const [, direction, q, votes, difference, auc] = features[entry.feature];
  const { ahead } = selectors[view.state.selector];
  return {
    frequency: () => [frequencyBar(entry.frequency)],
    rank: () => [entry.meanRank === Infinity ? NONE : fixed(entry.meanRank, 1)],
    direction: () => [direction || NONE],
    difference: () => effectCell(difference),
    auc: () => effectCell(auc),
    ahead: () => [ahead ? asShare(ahead.find(([feature]) => feature === entry.feature)?.[1] ?? 0) : NONE],
    votes: () => [countedVotes(votes, advice.voters)],
    q: () => [q || NONE],
    tells: () => [entry.trusted ? advice.tells[advice.trusted.indexOf(entry.feature)] : NONE],
    trusted: () => [entry.trusted ? "✓ yes" : "no"],
    why: () => (entry.why.length ? entry.why : [NONE]),
  };
}

function featureRow(view, entry, columns) {
  const cells = cellsOf(view, entry);
  return html(
    "tr",
    { class: entry.trusted ? "trusted" : null },
    html("th", { scope: "row" }, bdi(view.data.features[entry.feature][0])),
    ...columns.slice(1).map(([key, title, isNumber]) =>
      html("td", { "data-title": title, class: isNumber ? "number" : null }, html("span", {}, ...cells[key]())),
    ),
  );
}

// What was picked, and how far this page can count it.
function pickedLine(view, runs) {
  const { selector, size } = view.state;
  const label = bdi(view.data.selectors[selector].label);
  const sized = size === null ? "with the sizes it chose itself" : `${asCount(size, "feature")} in each run`;
  const line = html("p", { class: "picked-told" }, "Picked: ", label, `, ${sized}.`);
  const longest = Math.max(0, ...runs.map((run) => run.length));
  if (size !== null && size > longest) {
    line.append(` This page holds the first ${longest} features of each run and counts only those.`);
  }
  return line;
}

const BOTH_WAYS =
  "Direction and AUC compare ranks; the difference of medians may point the other way.";

function featureTable(view) {
  const { selector, size } = view.state;
  const all = view.data.selectors[selector].runs.map((run) => unpacked(view.data, run));
  const runs = size === null ? all : all.map((run) => run.slice(0, size));
  const sets = runs.map((run) => new Set(run));
  const found = countFeatures(view, runs).map((entry) => ({ ...entry, why: reason(view, entry, sets) }));
  const columns = [...view.data.columns];
  if (found.some(({ why }) => why.length)) columns.push(["why", "Why", false]);
  const head = columns.map(([, title, isNumber]) => html("th", { scope: "col", class: isNumber ? "number" : null }, title));
  const shown = Math.max(FIRST_ROWS, Math.min(found.filter((entry) => entry.trusted).length, MOST_TRUSTED));
  const rowsOf = (entries) => entries.map((entry) => featureRow(view, entry, columns));
  const body = html("tbody", {}, ...rowsOf(found.slice(0, shown)));
  const thead = html("thead", {}, html("tr", {}, ...head));
  const parts = [pickedLine(view, all), html("table", { class: "consensus stack" }, thead, body)];
  if (found.length > shown) {
    const more = html("button", { type: "button", class: "more" }, `Show all ${found.length} features`);
    more.addEventListener("click", () => {
      body.append(...rowsOf(found.slice(shown)));
      more.remove();
    });
    parts.push(more);
  }
  const mixed = new Set(view.data.mixed);
  if (found.some(({ feature }) => mixed.has(feature))) parts.push(html("p", { class: "told" }, BOTH_WAYS));
  return parts;
}
