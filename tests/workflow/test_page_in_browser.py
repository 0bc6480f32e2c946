"""The page in a real browser: picks, links, keys, names, print, narrow screens; no network."""

from urllib.parse import parse_qs

import page_cases as cases
import pytest
from page_evidence import frequencies

from steadfast.page import text
from steadfast.page.document import study_page


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Where the page of each case is."""
    folder = tmp_path_factory.mktemp("pages")
    evidences = {
        "good": [cases.good_case()],
        "awkward": [cases.awkward_case()],
        "alone": [cases.without_accuracy()],
        "wrappers": [cases.wrappers()],
        "several": cases.several_cases(),
        "many": [cases.many_selectors(80, 60, 6)],
        "q-values": [cases.with_q_values()],
        "effects": [cases.mixed_effects()],
    }
    for name, found in evidences.items():
        (folder / f"{name}.html").write_bytes(study_page(found, cases.context(len(found) > 1)))
    return {name: (folder / f"{name}.html").as_uri() for name in evidences}


@pytest.fixture
def show(visit, pages):
    """Open a page by its name."""
    return lambda name, place="", width=1100: visit(pages[name], place, width=width)


def one(browser, selector):
    return browser.find_element("css selector", selector)


def rows(browser, dataset=1):
    """Name, frequency, mean rank of each row of the table of features."""
    script = """return [...document.querySelectorAll(arguments[0])].map(row =>
        [...row.children].slice(0, 3).map(cell => cell.textContent))"""
    return browser.execute_script(script, f"#dataset-{dataset} .features tbody tr")


def count_features(found, selector, size):
    """Name, frequency, mean rank of each feature, counted from the runs of the evidence.

    Trusted features come first, also those that no run selects.
    """
    features, runs = found["features"], found["selectors"][selector]["runs"]
    trusted = {row["feature"] for row in found["advice"]["consensus"] if row["trusted"]}
    counted = {f: (share, rank) for f, share, rank in frequencies(runs, size)}
    counted = {f: (0, None) for f in trusted} | counted

    def order(feature):
        share, rank = counted[feature]
        votes = features[feature].get("votes", 0)
        return feature not in trusted, -share, -votes, rank or len(features), feature

    return [
        [features[f]["name"], text.share(counted[f][0]), text.mean_rank(counted[f][1])]
        for f in sorted(counted, key=order)
    ]


def pick_size(browser, size):
    browser.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))",
        *(one(browser, "#size-0"), size),
    )


def pick_selector(browser, place):
    from selenium.webdriver.support.ui import Select

    Select(one(browser, "#selector-0")).select_by_index(place)


def recommended_selector(found):
    ids = [selector["id"] for selector in found["selectors"]]
    return ids.index(found["advice"]["selector"])


def test_pointing_at_a_selector_shows_its_numbers(show):
    from selenium.webdriver import ActionChains

    browser, found = show("good"), cases.good_case()
    for place, selector in enumerate(found["selectors"][:2]):
        mark = one(browser, f'[data-selector="{place}"] .target')
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", mark)
        ActionChains(browser).move_to_element(mark).perform()
        tip = one(browser, "#tip")
        assert tip.is_displayed()
        assert selector["label"] in tip.text
        assert text.stability(selector["best"]["stability"]) in tip.text
        assert text.accuracy(selector["best"]["accuracy"]) in tip.text


def test_pointing_at_a_curve_shows_the_nearest_size(show):
    from selenium.webdriver import ActionChains

    browser, found = show("good"), cases.good_case()
    area = one(browser, ".curves svg .area")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", area)
    ActionChains(browser).move_to_element(area).perform()
    tip = one(browser, "#tip").text
    size = int(tip.partition(", ")[2].split()[0])
    chosen = found["selectors"][recommended_selector(found)]
    value = chosen["stability"]["value"][found["sizes"].index(size)]
    assert tip.startswith(f"stability, {size} features")
    assert text.stability(value) in tip
    ActionChains(browser).click().perform()
    assert one(browser, "#size-0").get_attribute("value") == str(size)


@pytest.mark.parametrize("size", [1, 7, 20])
def test_the_table_follows_the_picked_size(show, size):
    browser, found = show("good"), cases.good_case()
    pick_size(browser, size)
    assert rows(browser) == count_features(found, recommended_selector(found), size)
    value = found["selectors"][recommended_selector(found)]["stability"]["value"][size - 1]
    assert f"stability {text.stability(value)}" in one(browser, ".readout").text


def test_the_table_follows_the_picked_selector_and_the_button_leads_back(show):
    browser, found = show("good"), cases.good_case()
    before = rows(browser)
    back = one(browser, "button.back")
    assert not back.is_enabled()
    pick_selector(browser, 1)
    pick_size(browser, 5)
    assert rows(browser) == count_features(found, 1, 5)
    assert back.is_enabled()
    back.click()
    assert rows(browser) == before
    assert "#" not in browser.current_url
    assert not back.is_enabled()


def cells(browser):
    """Titles and cells of the whole table of features."""
    script = """return [...document.querySelectorAll('.features table')[0].rows].map(row =>
        [...row.children].map(cell => cell.textContent))"""
    return browser.execute_script(script)


@pytest.mark.parametrize("name", ["good", "q-values", "awkward", "effects"])
def test_the_script_makes_the_same_table_of_the_recommendation_as_python(show, name):
    """Another classifier is another pick, but of the same selector and size."""
    from selenium.webdriver.support.ui import Select

    browser = show(name)
    before = cells(browser)
    below = "return [...document.querySelectorAll('.features > p.told')].map(p => p.textContent)"
    note = browser.execute_script(below)
    assert len(note) == (name in ("q-values", "effects"))
    Select(one(browser, "#classifier-0")).select_by_index(1)
    assert one(browser, ".picked-told").text.startswith("Picked: ")
    assert cells(browser) == before
    assert browser.execute_script(below) == note


def test_another_pick_keeps_the_columns_and_the_trusted_features(show):
    """Effects, q-values and reasons vanished, and trusted features that were not selected."""
    browser, found = show("q-values"), cases.with_q_values()
    titles, *before = cells(browser)
    kept = [titles.index(title) for title in ("Feature", "Direction", "Difference", "AUC")]
    kept += [titles.index(title) for title in ("q-value", "Information", "Trusted")]
    trusted = {row[0]: [row[at] for at in kept] for row in before if row[-2] == "✓ yes"}
    pick_selector(browser, 1)
    pick_size(browser, 2)
    assert rows(browser) == count_features(found, 1, 2)
    again, *after = cells(browser)
    assert again == titles
    shown = {row[0]: row for row in after}
    assert {feature: [shown[feature][at] for at in kept] for feature in trusted} == trusted
    reasons = {row[0]: row[-1] for row in after}
    label = found["selectors"][1]["label"]
    selected = {row[0] for row in after if int(row[1].rstrip("%")) >= 50}
    lower = f"ranked lower by {label}; the list has room for 2 features"
    for feature in trusted:
        ends = (lower, "selected in its place")
        assert (reasons[feature] == "–") == (feature in selected)
        assert feature in selected or reasons[feature].endswith(ends)


def test_a_feature_that_is_selected_but_not_trusted_has_its_q_value_as_the_reason(show):
    browser, found = show("q-values"), cases.with_q_values()
    pick_selector(browser, [s["id"] for s in found["selectors"]].index("fisher"))
    pick_size(browser, len(found["features"]))
    noise = [row for row in cells(browser)[1:] if row[-2] == "no"]
    assert noise
    for row in noise:
        q = next(f["q"] for f in found["features"] if f["name"] == row[0])
        assert row[-1] == f"q = {text.p_value(q)}: not distinguishable from noise"


def test_each_selector_has_its_own_shares_of_runs_ahead_of_copies(show):
    browser, found = show("good"), cases.good_case()
    for place, selector in enumerate(found["selectors"]):
        pick_selector(browser, place)
        titles, *shown = cells(browser)
        at, shares = titles.index("Ahead of shuffled copies"), dict(selector.get("ahead") or [])
        names = {feature["name"]: number for number, feature in enumerate(found["features"])}
        known = "ahead" in selector
        for row in shown:
            assert row[at] == (text.share(shares.get(names[row[0]], 0)) if known else "–")
    assert any(selector.get("ahead") for selector in found["selectors"])


def test_the_readout_compares_with_knowing_nothing_and_with_random_features(show):
    browser, found = show("good"), cases.good_case()
    random = next(s for s in found["selectors"] if s["baseline"])["accuracy"]["nearest"]["value"]
    blind = f"most frequent class {text.accuracy(found['majority'])}"

    def readout():
        return one(browser, ".readout").text

    assert f"; {blind}; 12 random features {text.accuracy(random[11])}." in readout()
    pick_size(browser, 1)
    assert readout().endswith(f"; {blind}; 1 random feature {text.accuracy(random[0])}.")
    pick_selector(browser, next(i for i, s in enumerate(found["selectors"]) if s["baseline"]))
    assert readout().endswith(f"; {blind}.")


def test_the_address_holds_the_pick_and_brings_it_back(show):
    browser, found = show("good"), cases.good_case()
    pick_selector(browser, 1)
    pick_size(browser, 9)
    place = browser.current_url.partition("#")[2]
    query = {key: value[0] for key, value in parse_qs(place).items()}
    assert query == {
        "dataset": "1",
        "selector": found["selectors"][1]["id"],
        "size": "9",
        "classifier": "Nearest mean",
    }
    browser = show("good", f"#{place}")
    assert rows(browser) == count_features(found, 1, 9)
    pick_size(browser, 6)
    browser.back()
    assert rows(browser) == count_features(found, 1, 9)


def test_an_address_that_makes_no_sense_shows_the_recommendation(show):
    browser = show("good", "#dataset=1&selector=nobody&size=-3&classifier=%3Cb%3E")
    assert not one(browser, "button.back").is_enabled()


def test_another_classifier_has_curves_of_its_own(show):
    from selenium.webdriver.support.ui import Select

    browser, found = show("good"), cases.good_case()
    pick_size(browser, 3)
    Select(one(browser, "#classifier-0")).select_by_index(1)
    chosen = found["selectors"][recommended_selector(found)]
    assert text.accuracy(chosen["accuracy"]["first"]["value"][2]) in one(browser, ".readout").text


def test_keys_alone_pick_a_selector_and_a_size(show):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser, found = show("good"), cases.good_case()
    one(browser, '.plane [tabindex="0"]').send_keys(Keys.ARROW_LEFT)
    focused = browser.switch_to.active_element
    place = int(focused.get_attribute("data-selector"))
    assert place != recommended_selector(found)
    assert found["selectors"][place]["label"] in one(browser, "#tip").text
    focused.send_keys(Keys.ENTER)
    size = int(one(browser, "#size-0").get_attribute("value"))
    assert rows(browser) == count_features(found, place, size)
    assert browser.switch_to.active_element.get_attribute("aria-pressed") == "true"
    one(browser, "#slider-0").send_keys(Keys.ARROW_RIGHT)
    assert rows(browser) == count_features(found, place, size + 1)
    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert browser.switch_to.active_element.get_attribute("id") == "size-0"


def test_names_are_shown_as_they_are_and_nothing_is_injected(show):
    browser, found = show("awkward"), cases.awkward_case()
    pick_selector(browser, 1)
    pick_size(browser, 20)
    shown = rows(browser)
    assert shown == count_features(found, 1, 20)
    assert set(cases.AWKWARD) & {name for name, _, _ in shown}
    assert browser.title == cases.context()["title"]
    injected = "return document.querySelectorAll('img, b, i, script:not([id]) ~ script').length"
    assert browser.execute_script(injected) == 0
    assert "selector=__proto__" in browser.current_url
    label = one(browser, ".readout bdi").text
    assert label == "<b>MIQ</b> & co"


def test_a_wrapper_is_counted_with_the_sizes_it_chose(show):
    browser, found = show("wrappers"), cases.wrappers()
    place = next(i for i, s in enumerate(found["selectors"]) if s["own"])
    pick_selector(browser, place)
    assert rows(browser) == count_features(found, place, None)
    assert not one(browser, "#size-0").is_enabled()
    own = found["selectors"][place]["own"]
    assert text.stability(own["stability"]["value"]) in one(browser, ".readout").text
    assert "size=own" in browser.current_url


def test_eighty_selectors_stay_readable(show):
    browser = show("many")
    lines = browser.find_elements("css selector", ".curves .line.muted")
    assert float(lines[0].value_of_css_property("opacity")) < 0.5
    boxes = browser.execute_script(
        """return [...document.querySelectorAll('.plane .label')].map(label => {
            const box = label.getBoundingClientRect();
            return [box.left, box.top, box.right, box.bottom];
        })"""
    )
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
            assert across <= 1 or down <= 4, "labels do not cover each other"


@pytest.mark.parametrize("name", ["awkward", "several", "many", "alone", "wrappers", "effects"])
def test_nothing_is_wider_than_a_narrow_screen(show, name):
    browser = show(name, width=360)
    beyond = "const page = document.documentElement; return page.scrollWidth - page.clientWidth"
    assert browser.execute_script(beyond) == 0


def test_several_data_sets_are_picked_apart(show):
    evidences = cases.several_cases()
    browser = show("several", "#dataset=3&selector=fisher&size=2")
    assert rows(browser, 3) == count_features(evidences[2], 0, 2)
    kept = rows(browser, 1)
    one(browser, "#overview a").click()
    assert browser.current_url.endswith("#dataset-1")
    assert rows(browser, 1) == kept
    assert rows(browser, 3) == count_features(evidences[2], 0, 2)


def test_numbers_are_rounded_alike_on_both_sides(show):
    browser = show("good")
    values = [k / 80 for k in range(-80, 81)] + [k / 3000 for k in range(0, 3000, 7)]
    rounded = (
        "return arguments[0].map(v => [v.toFixed(2), (100 * v).toFixed(1), (100 * v).toFixed(0)])"
    )
    for value, theirs in zip(values, browser.execute_script(rounded, values)):
        ours = [text.stability(value), text.accuracy(value), text.share(value)]
        plain = [one.replace("−", "-").rstrip("%") for one in ours]
        assert plain == [t.lstrip("-") if float(t) == 0 else t for t in theirs]


def test_on_paper_there_are_charts_and_no_controls_in_light_colours(show):
    browser = show("good")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    try:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": dark})
        on_screen = one(browser, "body").value_of_css_property("background-color")
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": dark})
        on_paper = one(browser, "body").value_of_css_property("background-color")
        assert on_screen != on_paper == "rgba(255, 255, 255, 1)"
        assert not one(browser, ".controls").is_displayed()
        assert one(browser, ".plane svg").is_displayed()
        assert one(browser, ".curves svg").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_without_scripts_the_page_says_everything_in_words_and_tables(show):
    browser = show("good")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show("good")
        assert cases.good_case()["advice"]["answer"][0] in one(browser, ".answer").text
        assert one(browser, ".features table").is_displayed()
        assert one(browser, ".noscript").is_displayed()
        assert not browser.find_elements("css selector", ".plane svg")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
