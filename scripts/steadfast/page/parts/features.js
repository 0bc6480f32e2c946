// The features of a pick: how often each is selected, and its mean rank, counted from the runs.

const FIRST_ROWS = 50;

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

// Frequency and mean rank of every feature that some run has among its first `size` (null: all).
function countFeatures(runs, size) {
  const counts = new Map();
  for (const run of runs) {
    const listed = size === null ? run : run.slice(0, size);
    listed.forEach((feature, place) => {
      const found = counts.get(feature) || { feature, count: 0, ranks: 0 };
      found.count += 1;
      found.ranks += place + 1;
      counts.set(feature, found);
    });
  }
  return [...counts.values()]
    .map(({ feature, count, ranks }) => ({
      feature,
      frequency: count / runs.length,
      meanRank: ranks / count,
    }))
    .sort((a, b) => b.frequency - a.frequency || a.meanRank - b.meanRank || a.feature - b.feature);
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

function featureRow(view, entry) {
  const [name, direction] = view.data.features[entry.feature];
  const { trusted: known } = view.data.advice;
  const trusted = known !== null && known.includes(entry.feature);
  const cell = (content, title, kind) =>
    html("td", { "data-title": title, class: kind }, html("span", {}, content));
  return html(
    "tr",
    { class: trusted ? "trusted" : null },
    html("th", { scope: "row" }, html("bdi", { class: "name" }, name)),
    cell(frequencyBar(entry.frequency), "In how many runs"),
    cell(fixed(entry.meanRank, 1), "Mean rank", "number"),
    cell(direction || NONE, "Direction"),
    ...(known === null ? [] : [cell(trusted ? "✓ yes" : "no", "Trusted")]),
  );
}

function featureTable(view) {
  const { selector, size } = view.state;
  const { label, runs: written } = view.data.selectors[selector];
  const runs = written.map((run) => unpacked(view.data, run));
  const found = countFeatures(runs, size);
  const titles = ["Feature", "In how many runs", "Mean rank", "Direction"];
  if (view.data.advice.trusted !== null) titles.push("Trusted");
  const kinds = [null, null, "number", null, null];
  const head = titles.map((title, i) => html("th", { scope: "col", class: kinds[i] }, title));
  const body = html("tbody", {}, ...found.slice(0, FIRST_ROWS).map((entry) => featureRow(view, entry)));
  const listed = Math.max(0, ...runs.map((run) => run.length));
  const sized = size === null ? "with the sizes it chose itself" : `${size} ${size === 1 ? "feature" : "features"} a run`;
  const told = html("p", { class: "picked-told" }, "Picked: ", html("bdi", { class: "name" }, label), `, ${sized}.`);
  if (size !== null && size > listed) {
    told.append(` This page has the first ${listed} features of each run, and counts those.`);
  }
  const parts = [told, html("table", { class: "consensus stack" }, html("thead", {}, html("tr", {}, ...head)), body)];
  if (found.length > FIRST_ROWS) {
    const more = html("button", { type: "button", class: "more" }, `Show all ${found.length} features`);
    more.addEventListener("click", () => {
      body.append(...found.slice(FIRST_ROWS).map((entry) => featureRow(view, entry)));
      more.remove();
    });
    parts.push(more);
  }
  return parts;
}
