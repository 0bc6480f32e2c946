// Why a feature is selected but not trusted, or trusted but not selected: as `reason` of features.py.

// A feature is selected if this share of the runs selects it; names in a reason, of more their number.
const SELECTED = 0.5;
const MOST_NAMES = 3;

const bdi = (text) => html("bdi", { class: "name" }, text);

// Pieces of a sentence; none where trust and selection agree, or where trust was not asked for.
function reason(view, entry, runs) {
  const { trusted, voters } = view.data.advice;
  if (trusted === null || entry.trusted === entry.frequency >= SELECTED) return [];
  if (entry.trusted) return whyNotSelected(view, entry, runs);
  const [, , q, votes] = view.data.features[entry.feature];
  const why = q ? `q = ${q}` : `${countedVotes(votes, voters)} selectors agree`;
  return [`${why}: not distinguishable from noise`];
}

function whyNotSelected(view, entry, runs) {
  const { features, advice, selectors } = view.data;
  const { size, selector } = view.state;
  for (const group of advice.groups) {
    if (!group.includes(entry.feature)) continue;
    const selected = (feature) => runs.filter((run) => run.has(feature)).length / runs.length;
    const any = runs.filter((run) => group.some((feature) => run.has(feature))).length / runs.length;
    const others = group
      .map((feature) => [selected(feature), feature])
      .filter(([each]) => any >= SELECTED && each > entry.frequency)
      .sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    if (!others.length) continue;
    const names = others.map(([, feature]) => features[feature][0]);
    return [...listed(names), ` ${names.length === 1 ? "is" : "are"} selected in its place`];
  }
  const label = bdi(selectors[selector].label);
  if (size === null) return ["left out in most runs by ", label];
  return ["ranked lower by ", label, `; the list has room for ${asCount(size, "feature")}`];
}

// `a`, `a and b`, `a, b and c`, and of more the number of the rest, in pieces.
function listed(names) {
  const shown = names.slice(0, MOST_NAMES).map(bdi);
  if (names.length > MOST_NAMES) shown.push(`${names.length - MOST_NAMES} more`);
  return shown.flatMap((piece, at) => [at === 0 ? "" : at === shown.length - 1 ? " and " : ", ", piece]);
}

function countedVotes(votes, voters) {
  if (votes === null || votes === undefined) return NONE;
  return voters ? `${votes} of ${voters}` : String(votes);
}
