"""Tables that are made of other elements than `table`."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from thresher.output import to_html, to_markdown, to_text, to_xml
from thresher.output.grids import find_grids

ROLES = """<div role="table"><div role="rowgroup"><div role="row"><span role="columnheader">Peak</span>
<span role="columnheader">Metres</span></div></div><div role="rowgroup"><div role="row"><span role="cell">Ortler</span>
<span role="cell">3905</span></div><div role="row"><span role="cell">Zugspitze</span><span role="cell">2962</span></div>
</div></div>"""
STYLES = """<div style="display: table"><div style="display:table-row"><div style="display:table-cell">Ortler</div>
<div style="display:table-cell">3905</div></div><div style="display:table-row"><div style="display:table-cell">Zugspitze
</div><div style="display:table-cell">2962</div></div></div>"""


def classes(cells: str = "divTableCell", row: str = "divTableRow", count: int = 3, text: str = "Peak") -> str:
    line = "".join(f'<div class="{cells}">{text} {place}</div>' for place in range(2))
    return f"""<div class="box">{f'<div class="{row}">{line}</div>' * count}</div>"""


def printed(html: str, form=to_markdown) -> str:
    page = thresher.parse(f"<body>{html}</body>")
    return form(page, page.start >= 0)


def test_roles_make_a_table_in_every_form() -> None:
    assert printed(ROLES) == "| Peak | Metres |\n| --- | --- |\n| Ortler | 3905 |\n| Zugspitze | 2962 |"
    assert printed(ROLES, to_text) == "Peak\tMetres\nOrtler\t3905\nZugspitze\t2962"
    assert "<tr><th>Peak</th><th>Metres</th></tr>\n<tr><td>Ortler</td><td>3905</td></tr>" in printed(ROLES, to_html)
    assert printed(ROLES, to_xml).count("<row") == 3


def test_styles_make_a_table() -> None:
    assert printed(STYLES, to_text) == "Ortler\t3905\nZugspitze\t2962"
    assert "| Zugspitze | 2962 |" in printed(STYLES)


@pytest.mark.parametrize(
    ("cells", "row"),
    [("divTableCell", "divTableRow"), ("rt-td", "rt-tr"), ("table__cell", "table__row"), ("td", "tr")],
)
def test_classes_make_a_table_of_three_equal_rows(cells: str, row: str) -> None:
    assert printed(classes(cells, row), to_text) == "\n".join(["Peak 0\tPeak 1"] * 3)


@pytest.mark.parametrize(
    "html",
    [
        classes(count=2),
        classes("col-md-6", "row"),
        classes(text="A teaser, which goes on for a while. " * 8),
        classes(text="<h3>Teaser</h3>"),
        classes().replace("</div></div>", "</div>and more</div>", 1),
        classes() .replace('<div class="box">', '<div class="box"><p>Beside the rows.</p>'),
        '<div role="grid"><div role="row"><div role="gridcell">One</div></div><div role="row">'
        '<div role="gridcell">Two</div></div></div>',
        ROLES.replace("Ortler", "<p>Several</p><p>paragraphs</p><p>in a</p><p>cell</p>"),
    ],
)  # fmt: skip
def test_cards_and_columns_are_no_tables(html: str) -> None:
    assert find_grids(thresher.parse(html)) is None


def test_an_empty_cell_keeps_its_column_and_dropped_rows_go() -> None:
    html = ROLES.replace("Ortler", "")
    assert "|  | 3905 |" in printed(html)
    page = thresher.parse(ROLES)
    keep = page.start >= 0
    keep[[text.strip() in ("Ortler", "3905") for text in page.cut(range(len(keep)))]] = False
    assert to_markdown(page, keep) == "| Peak | Metres |\n| --- | --- |\n| Zugspitze | 2962 |"


def test_tables_can_be_left_out() -> None:
    page = thresher.parse(f"<p>Before.</p>{ROLES}")
    assert to_text(page, page.start >= 0, tables=False) == to_markdown(page, page.start >= 0, tables=False) == "Before."


def _beans(rows: str, behind: str = "") -> str:
    words = "Beans are sown in May, when nights are no longer cold, three to a pot, and want water each evening. "
    return (
        f"<html lang=en><head><title>Beans</title></head><body><main><h1>Beans on the balcony</h1><p>{words * 2}</p>"
        f"<div role=table>{rows}</div>{behind}</main></body></html>"
    )


@pytest.mark.parametrize("rows", [1, 2, 4])
@pytest.mark.parametrize("behind", ["", "<h2>Share</h2><form><button>Tweet</button></form>", "<p>They climb. </p>"])
def test_a_table_is_kept_or_dropped_as_a_whole(rows: int, behind: str) -> None:
    cells = [("Bean", "Height"), ("Runner", "3 m"), ("Bush", "0.4 m"), ("Broad", "1 m"), ("Mung", "0.9 m")][: rows + 1]
    html = "".join(f"<div role=row><div role=cell>{a}</div><div role=cell>{b}</div></div>" for a, b in cells)
    result = thresher.extract(_beans(html, behind))
    kept = {block.text: block.kept for block in result.blocks}
    assert len({kept[text] for line in cells for text in line}) == 1
    decided = thresher.extract(_beans(html, behind), method="plain")
    assert all(block.kept for block in decided.blocks if block.text in ("Bean", "3 m"))


def test_a_table_goes_the_way_of_most_of_it() -> None:
    from dataclasses import replace

    from thresher.result.steps import Wishes, whole_tables

    html = "".join(f"<div role=row><div role=cell>{a}</div><div role=cell>{b}</div></div>" for a, b in ["ab", "cd"] * 2)
    verdict = thresher.extract(_beans(html), method="plain").verdict
    words = [text.strip() for text in verdict.page.text]
    some = np.array([text not in "ab" for text in words])
    few = np.array([text not in "abc" for text in words])
    for keep, wanted in ((some, True), (few, False)):
        whole = whole_tables(replace(verdict, keep=verdict.keep & keep), Wishes(recovers=True))
        assert {bool(whole.keep[words.index(letter)]) for letter in "abcd"} == {wanted}
        told = [reason for block in range(10) for reason in (whole.reasons(block) if whole.reasons else ())]
        assert any("in a table most of which was" in reason for reason in told)
