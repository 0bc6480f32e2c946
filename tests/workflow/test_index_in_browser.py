"""The page of a whole run in a real browser: folds, links, narrow screens, paper; no network."""

import index_cases as cases
import pytest

from steadfast.reports.index.page import index_page

BEYOND = "const page = document.documentElement; return page.scrollWidth - page.clientWidth"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "some results, 100%"
    cases.write_results(folder, cases.context())
    (folder / "index.html").write_bytes(index_page(cases.context(), str(folder)))
    return folder


@pytest.fixture
def show(visit, folder):
    """Open the page; pictures beside it may be loaded."""

    def open_page(place="", width=1100):
        address = (folder / "index.html").as_uri()
        return visit(address, place, width=width, beside=folder.as_uri())

    return open_page


def one(browser, selector):
    return browser.find_element("css selector", selector)


def test_a_fold_shows_the_numbers_and_a_link_the_page_of_a_study(show):
    browser = show()
    claim = one(browser, "#one2001-claim1")
    assert claim.find_element("css selector", ".badge").text == "holds"
    assert not claim.find_element("css selector", "table").is_displayed()
    claim.find_element("css selector", "summary").click()
    assert claim.find_element("css selector", "table").is_displayed()
    assert cases.MARKUP in claim.text
    one(browser, "#study-one2001 .documents a[href$='page.html']").click()
    assert browser.title == "Page"
    assert browser.current_url.endswith("/one2001/page.html")


def test_figures_are_shown_when_their_fold_is_opened(show):
    browser = show()
    fold = one(browser, "#study-one2001 details:has(.pictures)")
    fold.find_element("css selector", "summary").click()
    picture = fold.find_element("css selector", "img")
    browser.execute_script("arguments[0].scrollIntoView()", picture)
    loaded = "const [image, done] = arguments; image.decode().then(() => done(image.naturalWidth))"
    assert browser.execute_async_script(loaded, picture) == 1


def test_a_claim_is_found_by_its_verdict(show):
    browser = show()
    fold = one(browser, "#verdict-not")
    fold.find_element("css selector", "summary").click()
    fold.find_element("css selector", "a").click()
    assert browser.current_url.endswith("#one2001-claim3")
    assert one(browser, ":target .badge").text == "does not hold"


def test_on_a_narrow_screen_tables_scroll_and_the_page_does_not(show):
    browser = show(width=360)
    browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert browser.execute_script(BEYOND) == 0
    wider = "const box = document.querySelector('.claim .scroll'); return box.scrollWidth"
    assert browser.execute_script(wider) > 360
    small = "return document.querySelector('.scatter svg').getBoundingClientRect().width"
    assert browser.execute_script(small) >= 140


def test_on_paper_verdicts_stand_in_light_colours_and_closed_folds_are_left_out(show):
    browser = show()
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    try:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": dark})
        body = one(browser, "body").value_of_css_property("background-color")
        assert body == "rgba(255, 255, 255, 1)"
        assert one(browser, "#one2001-claim2 .found").text.startswith("holds in part")
        assert one(browser, "#study-one2001 .scatter svg").is_displayed()
        assert not one(browser, "#one2001-claim2 details").is_displayed()
        assert not one(browser, ".verdicts h2").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert (
        len(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]) > 9999
    )


def test_nothing_runs_and_all_is_there_without_scripts(show):
    browser = show()
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show()
        one(browser, "#one2001-claim4 summary").click()
        assert one(browser, "#one2001-claim4 table").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert not browser.find_elements("css selector", "script")
