"""Pages that hide themselves until a script runs are read; tabs come back on request, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.case import ARTICLE, SENTENCES, Case, article, page
from tests.hostile.unseen import NOTE
from tests.hostile.unseen_lists import STYLES

__all__ = ["cases"]

SELF_HIDING = {
    "body by opacity": "<style>body{opacity:0}</style><body>{}",
    "body by visibility": "<body style='visibility:hidden'>{}",
    "body by display": "<style>html.js body{display:none}</style><html class=js><body>{}",
    "body by attribute": "<body hidden>{}",
    "body by height": "<style>body{height:0;overflow:hidden}</style><body>{}",
    "body by place": "<style>body{position:absolute;left:-9999px}</style><body>{}",
    "body while it loads": "<style>body.loading{visibility:hidden}</style><body class=loading>{}",
    "body while fonts load": "<style>.wf-loading body{opacity:0}</style><html class=wf-loading><body>{}",
    "html by visibility": "<style>html{visibility:hidden}</style><body>{}",
    "html by attribute": "<html hidden><body>{}",
    "html by display": "<style>html{display:none}</style><script>if(self==top)x()</script><body>{}",
    "no flicker": "<style>.async-hide{opacity:0!important}</style><html class=async-hide><body>{}",
    "no script": "<style>.no-js body{display:none}</style><html class=no-js><body>{}",
    "amp": (
        "<style amp-boilerplate>body{-webkit-animation:-amp-start 8s steps(1,end) 0s 1 normal both;"
        "visibility:hidden}</style><body>{}"
    ),
    "vue's cloak": "<style>[v-cloak]{display:none}</style><div id=app v-cloak>{}</div>",
    "angular's cloak": "<style>[ng-cloak],.ng-cloak{display:none!important}</style><div ng-app class=ng-cloak>{}</div>",
    "alpine's cloak": "<style>[x-cloak]{display:none}</style><main x-data x-cloak>{}</main>",
    "root by opacity": "<div id=app style='opacity:0'>{}</div>",
    "root by display": "<div id=root style='display:none'>{}</div><p>Loading …</p>",
    "wrapper by a rule": (
        "<style>.page{visibility:hidden}</style><div class=page>{}</div><div class=spinner>Please wait.</div>"
    ),
    "wrapper in a wrapper": ("<style>#a{opacity:0}#b{visibility:hidden}</style><div id=a><div id=b>{}</div></div>"),
    "main beside a header": (
        "<header><a href=/>Home</a></header><main style='opacity:0'>{}</main>"
        "<footer>Copyright. All rights reserved.</footer>"
    ),
    "main beside a wall": (
        "<div class=cookie-banner><p>We use cookies to make this site better for you. Read more of it.</p></div>"
        "<main style='display:none'>{}</main>"
    ),
    "sections that fade in": (
        "<div data-aos=fade-up style='opacity:0'>{}</div>"
        + "<div data-aos=fade-up style='opacity:0'><p>x</p></div>" * 3
    ),
}
TEXT = "The second tab has its own words, some forty of them at the least, about the weight of a flail."
PANEL = f"<p>{TEXT}</p>"
FIRST = f"<p>{SENTENCES[0].lower()}</p>"
WIDGETS = {
    "tab panels": (
        "<div role=tablist><button role=tab aria-controls=a>One</button><button role=tab aria-controls=b>Two</button>"
        f"</div><div role=tabpanel id=a>{FIRST}</div><div role=tabpanel id=b hidden>{PANEL}</div>"
    ),
    "bootstrap": (
        "<ul class=nav-tabs><li><a data-toggle=tab href=#a>One</a><li><a data-toggle=tab href=#b>Two</a></ul>"
        f"<div class=tab-content><div id=a class='tab-pane active'>{FIRST}</div>"
        f"<div id=b class=tab-pane style='display:none'>{PANEL}</div></div>"
    ),
    "siblings": (
        f"<div class=tabs><div class='tab-panel open'>{FIRST}</div>"
        f"<div class=tab-panel style='display:none'>{PANEL}</div></div>"
    ),
    "accordion": (
        "<div class=accordion><h3><button aria-expanded=false>More about it</button></h3>"
        f"<div style='max-height:0;overflow:hidden'>{PANEL}</div></div>{FIRST}"
    ),
    "labelled panel": (
        f"<a id=t role=tab href=#b>Two</a>{FIRST}"
        f"<section role=tabpanel aria-labelledby=t id=b style='visibility:hidden'>{PANEL}</section>"
    ),
    "rules of the page": (
        "<style>.panel{display:none}.panel.active{display:block}</style><div class=tabs>"
        f"<div class='panel active'>{FIRST}</div><div class=panel>{PANEL}</div></div>"
    ),
}
RECALL = {"focus": "recall"}
# Scripts of tabs and accordions hide by these; text hidden by anything else is never a tab.
BY_WIDGETS = ("isplay", "DISPLAY", "visibility", "height:0", "height:calc", "block-size")


def cases() -> Iterator[Case]:
    for name, markup in SELF_HIDING.items():
        html = "<!DOCTYPE html>" + markup.replace("{}", article())
        yield Case(f"self-hiding: {name}", html, shows=SENTENCES)
        if "body" in name or "html" in name:
            noted = "<!DOCTYPE html>" + markup.replace("{}", article(f"<p style='font-size:0'>{NOTE}</p>"))
            yield Case(f"a note on a page that hides its {name}", noted, shows=SENTENCES, hides=(NOTE,))
    for name, widget in WIDGETS.items():
        html = page(article(widget))
        yield Case(f"{name} by default", html, shows=SENTENCES, hides=(TEXT,), hidden=(TEXT,))
        yield Case(f"{name} with recall", html, shows=(*SENTENCES, TEXT), warns=("recovered",), options=RECALL)
    for style in STYLES:
        if not any(name in style for name in BY_WIDGETS):
            tab = f"<button aria-controls=b>Two</button><div id=b class=tab-pane style='{style}'><p>{NOTE}</p></div>"
            yield Case(f"no tab by {style}", page(article(tab)), hides=(NOTE,), options=RECALL)
    for name, note in _notes().items():
        yield Case(f"not recovered: {name}", page(article(note)), shows=SENTENCES, hides=(NOTE,), options=RECALL)
    yield Case("a page of nothing but panels", page(WIDGETS["tab panels"]), options=RECALL)
    alone = page(f"<div hidden><p>{NOTE}</p></div>" + ARTICLE[:0])
    yield Case("unseen text in an empty page with recall", alone, hides=(NOTE,), options=RECALL)


def _notes() -> dict[str, str]:
    """Hidden notes that are no panels."""
    tabs = WIDGETS["tab panels"]
    return {
        "a hidden paragraph": f"<p hidden>{NOTE}</p>",
        "a hidden box": f"<div style='display:none'><p>{NOTE}</p></div>",
        "a hidden span": f"<p>Words <span style='display:none'>{NOTE}</span> go on, and more of them.</p>",
        "a paragraph like others": f"<p class=t>{SENTENCES[0]}</p><p class=t style='display:none'>{NOTE}</p>",
        "a box like others": f"<div class=t>{FIRST}</div><div class=t style='display:none'><p>{NOTE}</p></div>",
        "off screen in a tab": tabs.replace(
            "</p></div>", f"<b style='position:absolute;left:-9999px'>{NOTE}</b></p></div>"
        ),
        "hidden again in a tab": tabs.replace("</p></div>", f"</p><p style='display:none'>{NOTE}</p></div>"),
        "white in a tab": tabs.replace("</p></div>", f"</p><p style='color:#fff'>{NOTE}</p></div>"),
        "a template in a tab": tabs.replace("</p></div>", f"</p><template><p>{NOTE}</p></template></div>"),
        "a dialog": f"<button aria-controls=m>Open</button><dialog id=m><p>{NOTE}</p></dialog>",
        "a menu": f"<button aria-controls=m>Open</button><div id=m class=dropdown-menu hidden><p>{NOTE}</p></div>",
        "a control nobody sees": f"<button hidden aria-controls=m>Open</button><div id=m hidden><p>{NOTE}</p></div>",
        "a control without words": f"<button aria-controls=m></button><div id=m hidden><p>{NOTE}</p></div>",
        "a panel in the footer": f"<footer><button aria-controls=m>Two</button><div id=m hidden>{NOTE}</div></footer>",
    }
