// What is picked, where it is kept (the address of the page), and who shows it.

const evidence = JSON.parse(document.getElementById("evidence").textContent);

function recommendation(data) {
  const { advice, selectors, sizes } = data;
  const first = Math.max(0, selectors.findIndex((s) => !s.baseline && s.best));
  const selector = advice.selector ?? first;
  const classifier = data.classifiers.length ? (advice.classifier ?? 0) : null;
  const size = advice.own ? null : nearestSize(sizes, advice.size ?? selectors[selector].best?.size);
  return { selector, size, classifier };
}

function nearestSize(sizes, wanted) {
  if (!sizes.length) return null;
  return sizes.reduce((a, b) => (Math.abs(b - (wanted ?? 1)) < Math.abs(a - (wanted ?? 1)) ? b : a));
}

// A pick that can be shown: a selector without curves has the sizes that it chose itself.
function sensible(data, state) {
  const selector = data.selectors[state.selector];
  if (!selector.stability && selector.own) return { ...state, size: null };
  if (state.size === null && !selector.own) return { ...state, size: nearestSize(data.sizes, selector.best?.size) };
  return state;
}

const same = (a, b) => a.selector === b.selector && a.size === b.size && a.classifier === b.classifier;

// The address: #dataset=1&selector=mid&size=8&classifier=SVM is a pick, anything else a place.

function toHash(number, data, state) {
  const words = new URLSearchParams({ dataset: number + 1, selector: data.selectors[state.selector].id });
  words.set("size", state.size === null ? "own" : state.size);
  if (state.classifier !== null) words.set("classifier", data.classifiers[state.classifier]);
  return `#${words}`;
}

function fromHash(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const number = Number(words.get("dataset")) - 1;
  const data = evidence[number];
  if (!data || !data.selectors.length) return null;
  const state = recommendation(data);
  const selector = data.selectors.findIndex((s) => s.id === words.get("selector"));
  if (selector >= 0) state.selector = selector;
  const size = Number(words.get("size"));
  if (words.get("size") === "own") state.size = null;
  else if (size > 0) state.size = nearestSize(data.sizes, size);
  const classifier = data.classifiers.indexOf(words.get("classifier"));
  if (classifier >= 0) state.classifier = classifier;
  return { number, state: sensible(data, state) };
}

function remember(hash, replace) {
  try {
    history[replace ? "replaceState" : "pushState"](null, "", hash || location.pathname + location.search);
  } catch {
    // Some viewers show a page without an address of its own; the pick then stays in the page.
  }
}

class View {
  constructor(section, number) {
    this.section = section;
    this.number = number;
    this.data = evidence[number];
    this.recommended = sensible(this.data, recommendation(this.data));
    this.state = this.recommended;
    this.plane = section.querySelector(".plane");
    this.curves = section.querySelector(".curves");
    this.features = section.querySelector(".features");
    this.table = this.features ? [...this.features.childNodes] : [];
    this.controls = new Controls(this, section.querySelector(".controls"));
    planeKeys(this, this.plane);
  }

  pick(change, replace = false) {
    this.show(sensible(this.data, { ...this.state, ...change }));
    remember(same(this.state, this.recommended) ? "" : toHash(this.number, this.data, this.state), replace);
  }

  show(state) {
    this.state = state;
    this.controls.show();
    this.draw();
    const back = same(state, this.recommended) && this.data.advice.selector !== null;
    this.features?.replaceChildren(...(back ? this.table : featureTable(this)));
  }

  draw(width = null) {
    tip.hide();
    const focused = this.plane.contains(document.activeElement);
    replaceChart(this.plane, drawPlane(this, width ?? room(this.plane)));
    replaceChart(this.curves, drawCurves(this, width ?? room(this.curves)));
    if (focused) this.plane.querySelector('[tabindex="0"]')?.focus();
  }
}

const room = (figure) => Math.max(280, Math.min(1040, figure.clientWidth));

function replaceChart(figure, drawn) {
  figure.querySelector(".drawn")?.remove();
  figure.prepend(html("div", { class: "drawn" }, drawn));
}

// The list of selectors and classifiers, slider and field of sizes, and the way back.
class Controls {
  constructor(view, place) {
    this.view = view;
    const { selectors, classifiers, sizes, advice, score } = view.data;
    const name = (text) => `${text}-${view.number}`;
    const option = (text, value) => html("option", { value }, text);
    const marked = (s, i) => s.label + (i === advice.selector ? " (recommended)" : s.baseline ? " (random)" : "");
    this.selector = html("select", { id: name("selector") }, ...selectors.map((s, i) => option(marked(s, i), i)));
    this.classifier = html("select", { id: name("classifier") }, ...classifiers.map(option));
    this.slider = html("input", { type: "range", min: 0, max: Math.max(0, sizes.length - 1), step: 1, id: name("slider") });
    const ends = { min: sizes[0] ?? 1, max: sizes.at(-1) ?? 1 };
    this.size = html("input", { type: "number", ...ends, step: 1, id: name("size"), inputmode: "numeric" });
    this.slider.setAttribute("aria-label", "Number of features, slider");
    this.own = html("input", { type: "checkbox", id: name("own") });
    const back = advice.selector === null ? "Back to the start" : "Back to the recommendation";
    this.back = html("button", { type: "button", class: "back" }, back);
    this.readout = html("p", { class: "readout", role: "status" });
    const label = (text, field) => html("label", { for: field.id }, text);
    this.ownField = html("div", { class: "field check" }, this.own, label("sizes it chose itself", this.own));
    place.append(
      html("div", { class: "field" }, label("Selector", this.selector), this.selector),
      html("div", { class: "field wide" }, label("Number of features", this.size), this.slider, this.size),
      this.ownField,
      html("div", { class: "field", hidden: classifiers.length < 2 }, label(`${score.label} by`, this.classifier), this.classifier),
      this.back,
      this.readout,
    );
    this.listen();
  }

  listen() {
    const { view } = this;
    const { sizes } = view.data;
    this.selector.addEventListener("change", () => view.pick({ selector: Number(this.selector.value) }));
    this.classifier.addEventListener("change", () => view.pick({ classifier: Number(this.classifier.value) }));
    this.slider.addEventListener("input", () => view.pick({ size: sizes[Number(this.slider.value)] }, true));
    this.size.addEventListener("change", () => view.pick({ size: nearestSize(sizes, Number(this.size.value)) }));
    this.own.addEventListener("change", () => {
      view.pick({ size: this.own.checked ? null : nearestSize(sizes, view.data.selectors[view.state.selector].own.size) });
    });
    this.back.addEventListener("click", () => view.pick(view.recommended));
  }

  show() {
    const { data, state, recommended } = this.view;
    const selector = data.selectors[state.selector];
    const own = state.size === null;
    this.selector.value = state.selector;
    if (state.classifier !== null) this.classifier.value = state.classifier;
    this.slider.disabled = this.size.disabled = own;
    if (!own) {
      this.slider.value = data.sizes.indexOf(state.size);
      this.slider.setAttribute("aria-valuetext", `${state.size} features`);
    }
    this.size.value = own ? "" : state.size;
    this.ownField.hidden = !selector.own;
    this.own.checked = own;
    this.own.disabled = !selector.stability;
    this.back.disabled = same(state, recommended);
    this.readout.replaceChildren(bdi(selector.label), `: ${numbersOf(this.view)}.`);
  }
}

// Stability and score of what is picked, compared with those of knowing nothing and of random features.
function numbersOf({ data, state }) {
  const selector = data.selectors[state.selector];
  const { own } = selector;
  const chosen = state.size === null;
  const size = chosen ? own.size : state.size;
  const place = data.sizes.indexOf(state.size);
  const stable = chosen ? own.stability : at(selector.stability, place);
  const words = [`${asSize(size)} ${size === 1 ? "feature" : "features"}`, `stability ${withInterval(stable, asStability)}`];
  if (state.classifier === null) return words.join(", ");
  const formatted = asScore(data.score);
  const scored = chosen ? own.accuracy[state.classifier] : at(selector.accuracy[state.classifier], place);
  words.push(`${data.score.noun} ${withInterval(scored, formatted)}`);
  const references = data.majority === null ? [] : [`${data.score.blind} ${formatted(data.majority)}`];
  const random = selector.baseline ? null : randomScore(data, size, state.classifier);
  if (random) references.push(`${asCount(random.size, "random feature")} ${formatted(random.value)}`);
  return [words.join(", "), ...references].join("; ");
}

// The score of random features, of the number nearest to a size; null where there is none.
function randomScore({ selectors, sizes }, size, classifier) {
  const [values] = selectors.find((selector) => selector.baseline)?.accuracy[classifier] ?? [[]];
  const known = sizes.map((each, place) => ({ size: each, value: values[place] ?? null }));
  const distance = (each) => Math.abs(each.size - size);
  return known
    .filter(({ value }) => value !== null)
    .reduce((a, b) => (a === null || distance(b) < distance(a) ? b : a), null);
}

// By the number of their data set; one without any selector has nothing to pick.
const views = [...document.querySelectorAll("section.dataset")]
  .filter((section) => evidence[section.dataset.dataset].selectors.length)
  .map((section) => new View(section, Number(section.dataset.dataset)));

// Show what the address says; other data sets, and any data set without a pick, as recommended.
function follow(first) {
  const asked = fromHash(location.hash);
  if (!first && !asked && location.hash) return;
  views.forEach((view) => {
    const state = asked && asked.number === view.number ? asked.state : view.recommended;
    if (first || !same(state, view.state)) view.show(state);
  });
  const shown = asked && views.find((view) => view.number === asked.number);
  if (first && shown) shown.section.querySelector(".controls").scrollIntoView();
}

follow(true);
addEventListener("popstate", () => follow(false));
addEventListener("hashchange", () => follow(false));

let lastWidth = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== lastWidth) views.forEach((view) => view.draw());
  lastWidth = innerWidth;
});

// On paper charts are drawn for the width of an A4 page, which they are scaled down to a little.
const PAPER = 780;
addEventListener("beforeprint", () => views.forEach((view) => view.draw(PAPER)));
addEventListener("afterprint", () => views.forEach((view) => view.draw()));
