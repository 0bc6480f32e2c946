"""A page as tests look at it: its elements, with their text."""

import json
from html.parser import HTMLParser

import page_cases as cases

from steadfast.page.document import study_page


class Parsed(HTMLParser):
    """Elements of a page with their attributes and text; scripts and styles by themselves."""

    def __init__(self, page: bytes):
        super().__init__(convert_charrefs=True)
        self.open, self.elements = [], []
        self.feed(page.decode())

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", **dict(attrs)}
        self.elements.append(element)
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open.pop()["tag"] == tag, "every element is closed where it was opened"

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, tag, kind=None):
        return [
            e
            for e in self.elements
            if e["tag"] == tag and (kind is None or kind in (e.get("class") or "").split())
        ]

    def rows(self, kind):
        """The cells' texts of each row of the tables of this class."""
        found, inside = [], False
        for element in self.elements:
            if element["tag"] == "table":
                inside = kind in (element.get("class") or "")
            if inside and element["tag"] == "tr":
                found.append([])
            if inside and element["tag"] in ("th", "td"):
                found[-1].append(element["text"])
        return found[1:]

    def data(self):
        return json.loads(next(e for e in self.all("script") if e.get("id") == "evidence")["text"])


def listed(parsed):
    """The rows of the table of features, by the titles of the columns."""
    inside, titles = False, []
    for element in parsed.elements:
        if element["tag"] == "table":
            inside = "consensus" in (element.get("class") or "") and not titles
        if inside and element.get("scope") == "col":
            titles.append(element["text"])
    return [dict(zip(titles, row, strict=True)) for row in parsed.rows("consensus")]


def page(*evidences, **changes):
    return study_page(list(evidences), {**cases.context(len(evidences) > 1), **changes})
