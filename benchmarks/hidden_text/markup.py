"""Elements and attributes that are likely to hide a text, and such that are not; `{}` is the text."""

# ruff: noqa: E501  (a declaration or a page a line)
from __future__ import annotations

__all__ = ["MARKUP"]

_LONG_BOX = '<div style="height: {}px; overflow: {}"><div style="height: {}px"></div>'

# name -> (markup that is likely to hide, markup that is not)
MARKUP: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "hidden attribute": (
        ("<p hidden>{}</p>", '<div hidden=""><p>{}</p></div>'),
        ('<p data-hidden="">{}</p>', '<p hidden style="display: block">{}</p>'),
    ),
    "dialog": (("<dialog>{}</dialog>", "<div popover>{}</div>"), ("<dialog open>{}</dialog>",)),
    "aria-hidden": ((), ('<p aria-hidden="true">{}</p>', '<div aria-hidden="true"><p>{}</p></div>')),
    "template": (("<template><p>{}</p></template>",), ("<p><slot>{}</slot></p>",)),
    "fallback": (
        ("<video><p>{}</p></video>", "<canvas>{}</canvas>", "<audio>{}</audio>", "<iframe>{}</iframe>"),
        ("<object>{}</object>", "<unknown-element>{}</unknown-element>"),
    ),
    "form": (
        ("<datalist><option>{}</option></datalist>",),
        ("<fieldset><legend>{}</legend></fieldset>", "<label>{}</label>"),
    ),
    "font element": (
        ('<font color="white">{}</font>', '<table bgcolor="black"><td><font color="#000000">{}</font></table>'),
        ('<font color="navy">{}</font>', '<table bgcolor="black"><td><font color="#ffffff">{}</font></table>'),
    ),
    "svg": (("<svg><desc>{}</desc></svg>", "<svg><title>{}</title></svg>"), ()),
    "nested size": (
        (
            '<div style="font-size: .1em"><div style="font-size: .1em"><p>{}</p></div></div>',
            '<div style="font-size: 20%"><p style="font-size: 10%">{}</p></div>',
            '<div style="font-size: 1px"><p style="font-size: 2em">{}</p></div>',
            '<div style="zoom: .2"><p style="zoom: .2">{}</p></div>',
            '<div style="transform: scale(.2)"><p style="transform: scale(.2)">{}</p></div>',
            '<div style="opacity: .1"><p style="opacity: .1">{}</p></div>',
            '<div style="font-size: 0"><p style="font-size: 3em">{}</p></div>',
        ),
        (
            '<div style="font-size: .1em"><p style="font-size: 16px">{}</p></div>',
            '<div style="font-size: 0"><p style="font-size: 1rem">{}</p></div>',
            '<div style="font-size: .1em"><p style="font-size: 10em">{}</p></div>',
            '<div style="zoom: .2"><p style="zoom: 5">{}</p></div>',
            '<div style="font-size: 90%"><p style="font-size: 90%">{}</p></div>',
            '<div style="visibility: hidden"><p style="visibility: visible">{}</p></div>',
        ),
    ),
    "nested overflow": (
        (
            _LONG_BOX.format(20, "hidden", 500) + "<p>{}</p></div>",
            _LONG_BOX.format(24, "clip", 900) + "{}</div>",
            '<div style="max-height: 30px; overflow: hidden"><p style="margin-top: 400px">{}</p></div>',
            '<div style="width: 30px; height: 20px; overflow: hidden"><p style="margin-left: 400px">{}</p></div>',
            '<div style="height: 20px; overflow: hidden; position: relative">'
            '<p style="position: absolute; top: 300px">{}</p></div>',
            '<div style="overflow: hidden; width: 0"><div style="width: 300px">{}</div></div>',
        ),
        (
            _LONG_BOX.format(200, "auto", 500) + "<p>{}</p></div>",
            _LONG_BOX.format(20, "visible", 300) + "<p>{}</p></div>",
            '<div style="height: 20px; overflow: hidden"><p style="position: absolute; top: 300px">{}</p></div>',
            '<div style="height: 300px; overflow: hidden"><p>{}</p></div>',
            '<div style="overflow: hidden"><p>{}</p></div>',
        ),
    ),
    "nested colour": (
        (
            '<div style="background: navy"><p style="color: navy">{}</p></div>',
            '<div style="color: white"><p>{}</p></div>',
            '<div style="background: black; color: white"><p style="background: white">{}</p></div>',
            '<div style="background: #123456"><p style="color: rgb(18, 52, 86)">{}</p></div>',
            '<div style="background: #808080"><p style="color: #828282">{}</p></div>',
        ),
        (
            '<div style="background: navy; color: white"><p>{}</p></div>',
            '<div style="color: white"><p style="color: black">{}</p></div>',
            '<div style="color: white"><p style="background: teal">{}</p></div>',
            '<div style="background: black"><p style="color: white">{}</p></div>',
            '<div style="background: #808080"><p style="color: #000">{}</p></div>',
        ),
    ),
    "clip-path url": (
        (
            '<svg width="0" height="0"><clipPath id="cut"></clipPath></svg><p style="clip-path: url(#cut)">{}</p>',
            '<svg width="0" height="0"><clipPath id="cut"><rect width="0" height="0"/></clipPath></svg>'
            '<p style="clip-path: url(#cut)">{}</p>',
            '<svg width="0" height="0"><mask id="cut"></mask></svg><p style="mask: url(#cut)">{}</p>',
        ),
        (
            '<svg width="0" height="0"><clipPath id="cut"><rect width="3000" height="900"/></clipPath></svg>'
            '<p style="clip-path: url(#cut)">{}</p>',
            '<p style="clip-path: url(#absent)">{}</p>',
        ),
    ),
    "shadow root": (
        (
            '<div><template shadowrootmode="open"><p>Another text.</p></template><p>{}</p></div>',
            '<div><template shadowrootmode="open"><style>p {{ display: none }}</style><p>{}</p></template></div>',
            '<div><template shadowrootmode="closed"><p hidden>{}</p></template></div>',
            '<div><template shadowrootmode="open"><style>:host {{ opacity: 0 }}</style><p>{}</p></template></div>',
            '<div><template shadowrootmode="open"><slot name="a"></slot></template><p slot="b">{}</p></div>',
            '<div><template shadowrootmode="open"><style>::slotted(p) {{ display: none }}</style><slot></slot>'
            "</template><p>{}</p></div>",
        ),
        (
            '<div><template shadowrootmode="open"><p>{}</p></template></div>',
            '<div><template shadowrootmode="open"><slot></slot></template><p>{}</p></div>',
            '<div><template shadowrootmode="open"><style>p {{ display: none }}</style><slot></slot></template><p>{}</p></div>',
            '<div><template shadowrootmode="open"><slot name="a"></slot></template><p slot="a">{}</p></div>',
            "<style>p.none {{ display: none }}</style>"
            '<div><template shadowrootmode="open"><p class="none">{}</p></template></div>',
        ),
    ),
    "style element": (
        (
            '<style media="screen">.s {{ display: none }}</style><p class="s">{}</p>',
            '<style type="text/css">.s {{ opacity: 0 }}</style><p class="s">{}</p>',
            '<style media="(min-width: 10px)">.s {{ font-size: 0 }}</style><p class="s">{}</p>',
            '<p class="s">{}</p><style>.s {{ visibility: hidden }}</style>',
            '<svg width="0" height="0"><style>.s {{ display: none }}</style></svg><p class="s">{}</p>',
        ),
        (
            '<style media="print">.s {{ display: none }}</style><p class="s">{}</p>',
            '<style type="text/plain">.s {{ display: none }}</style><p class="s">{}</p>',
            '<style media="(max-width: 10px)">.s {{ display: none }}</style><p class="s">{}</p>',
            '<template><style>.s {{ display: none }}</style></template><p class="s">{}</p>',
            '<noscript><style>.s {{ display: none }}</style></noscript><p class="s">{}</p>',
        ),
    ),
    "selector": (
        (
            "<style>div:has(> .s) {{ display: none }}</style><div><p class=s>{}</p></div>",
            "<style>:where(div) :is(.s, #none) {{ opacity: 0 }}</style><div><p class=s>{}</p></div>",
            "<style>.a {{ .b & {{ display: none }} }}</style><div class=b><p class=a>{}</p></div>",
            "<style>.a {{ & + & {{ display: none }} }}</style><i class=a></i><p class=a>{}</p>",
            "<style>p:not(:has(img)).s {{ visibility: hidden }}</style><p class=s>{}</p>",
            "<style>.s:nth-last-child(1 of .s) {{ display: none }}</style><div><p class=s>{}</p></div>",
            "<style>[lang|=de] {{ display: none }}</style><p lang=de-AT>{}</p>",
            "<style>p:lang(fr) {{ opacity: 0 }}</style><p lang=fr>{}</p>",
            "<style>.s:not(:hover) {{ display: none }}</style><p class=s>{}</p>",
            "<style>[title=X i] {{ display: none }}</style><p title=x>{}</p>",
            "<style>#\\31 2 {{ display: none }}</style><p id=12>{}</p>",
            "<style>:root:not(.dark) .s {{ display: none }}</style><p class=s>{}</p>",
            "<style>p:dir(ltr).s {{ display: none }}</style><p class=s>{}</p>",
            "<style>::part(x), .s {{ display: none }}</style><p class=s>{}</p>",
            "<style>@media screen {{ @supports (color: red) {{ .s {{ display: none }} }} }}</style><p class=s>{}</p>",
            "<style>@layer x {{ .s {{ display: none !important }} }} .s {{ display: block !important }}</style><p class=s>{}</p>",
            "<style>.s {{ @media screen {{ display: none }} }}</style><p class=s>{}</p>",
            "<style>@scope (.s) {{ :scope {{ display: none }} }}</style><p class=s>{}</p>",
            "<style>.x {{ container-type: inline-size }} @container (min-width: 100px) {{ .s {{ display: none }} }}</style><div class=x><p class=s>{}</p></div>",
        ),
        (
            "<style>div:has(> img) {{ display: none }}</style><div><p class=s>{}</p></div>",
            "<style>.s:hover, .s:focus {{ display: none }}</style><p class=s>{}</p>",
            "<style>.s:empty {{ display: none }}</style><p class=s>{}</p>",
            "<style>.s, p:unknown-thing {{ display: none }}</style><p class=s>{}</p>",
            "<style>p:lang(fr) {{ opacity: 0 }}</style><p lang=de>{}</p>",
            "<style>@scope (.s) to (.t) {{ .t {{ display: none }} }}</style><div class=s><p class=t>{}</p></div>",
            "<style>.s {{ @media print {{ display: none }} }}</style><p class=s>{}</p>",
            "<style>@layer x {{ .s {{ display: none }} }} .s {{ display: block }}</style><p class=s>{}</p>",
            "<style>.x {{ container-type: inline-size }} @container (max-width: 100px) {{ .s {{ display: none }} }}</style><div class=x><p class=s>{}</p></div>",
            "<style>@container (min-width: 100px) {{ .s {{ display: none }} }}</style><div class=x><p class=s>{}</p></div>",
        ),
    ),
    "variable": (
        (
            '<div style="--x: none"><p style="display: var(--x)">{}</p></div>',
            '<p style="display: var(--missing, none)">{}</p>',
            '<p style="--a: 0; --b: var(--a); opacity: var(--b)">{}</p>',
            "<style>:root {{ --x: 0 }} .s {{ font-size: calc(var(--x) * 1px) }}</style><p class=s>{}</p>",
            '<style>.s {{ color: var(--c) }}</style><div style="--c: white"><p class=s>{}</p></div>',
            "<style>@property --p {{ syntax: '<number>'; inherits: true; initial-value: 0 }} .s {{ opacity: var(--p) }}</style><p class=s>{}</p>",
            '<style>.s {{ --x: hidden }} .s span {{ visibility: var(--x, visible) }}</style><p class=s><span>{}</span></p>',
        ),
        (
            '<p style="display: var(--missing)">{}</p>',
            '<div style="--x: none"><div style="--x: block"><p style="display: var(--x)">{}</p></div></div>',
            '<p style="--a: 1; opacity: var(--a)">{}</p>',
            '<style>.s {{ opacity: var(--o, 1) }}</style><p class=s>{}</p>',
        ),
    ),
    "shown again": (
        (
            '<div style="visibility: visible"><p style="visibility: hidden">{}</p></div>',
            '<div style="opacity: 0"><p style="opacity: 1">{}</p></div>',
            '<div style="display: none"><p style="display: block">{}</p></div>',
            '<div style="position: absolute; left: -9999px"><p style="position: relative; left: 30px">{}</p></div>',
            '<div style="clip-path: inset(100%)"><p style="clip-path: none">{}</p></div>',
            '<div style="content-visibility: hidden"><p style="content-visibility: visible">{}</p></div>',
        ),
        (
            '<div style="visibility: collapse"><p><b style="visibility: visible">{}</b></p></div>',
            '<div style="font-size: 0"><p style="font: 18px serif">{}</p></div>',
            '<div style="color: transparent"><p style="color: black">{}</p></div>',
            '<div style="letter-spacing: -40px"><p style="letter-spacing: normal">{}</p></div>',
            '<div style="text-indent: -9999px"><p style="text-indent: 0">{}</p></div>',
            '<div style="line-height: 0; overflow: hidden"><p style="line-height: 1.5">{}</p></div>',
            '<div style="position: absolute; left: -9999px"><p style="position: fixed; left: 30px; top: 30px">{}</p></div>',
            '<div style="position: relative; left: -2000px"><p style="position: relative; left: 2000px">{}</p></div>',
            '<div style="-webkit-text-fill-color: transparent"><p style="-webkit-text-fill-color: black">{}</p></div>',
        ),
    ),
    "boxes in boxes": (
        (
            '<div style="height: 0; overflow: hidden"><div style="height: 200px"><p>{}</p></div></div>',
            '<div style="display: grid; grid-template-rows: 0fr"><div style="overflow: hidden; min-height: 0"><p>{}</p></div></div>',
            '<div style="position: relative; width: 200px; height: 90px; overflow: hidden"><p style="position: absolute; left: 900px; top: 0">{}</p></div>',
            '<div style="position: relative; height: 60px; overflow: hidden"><p style="position: relative; top: 500px">{}</p></div>',
            '<div style="height: 50px; overflow: hidden"><p style="transform: translateY(400px)">{}</p></div>',
            '<div style="height: 90px; overflow: hidden"><p style="padding-top: 600px">{}</p></div>',
            '<div style="width: 300px; overflow: hidden; white-space: nowrap"><i style="display: inline-block; width: 900px"></i>{}</div>',
            '<div style="overflow: hidden; height: 10px"><div style="margin-top: -300px"><p>{}</p></div></div>',
        ),
        (
            '<div style="height: 0"><div style="height: 200px"><p>{}</p></div></div>',
            '<div style="position: relative; width: 900px; height: 90px; overflow: hidden"><p style="position: absolute; left: 90px; top: 0">{}</p></div>',
            '<div style="height: 700px; overflow: hidden"><p style="padding-top: 60px">{}</p></div>',
            '<div style="height: 90px; overflow: auto"><p style="padding-top: 600px">{}</p></div>',
            '<div style="height: 90px; overflow: hidden"><div style="height: 900px; float: right"></div><p>{}</p></div>',
        ),
    ),
    "elements": (
        ( '<input type="hidden" value="{}">', "<meter>{}</meter>", "<progress>{}</progress>",
         "<noscript><p>{}</p></noscript>", "<p><!-- {} --></p>", "<object data='data:text/plain,x' type='text/plain'>{}</object>",
         "<math><annotation encoding='text'>{}</annotation></math>", "<video controls><track><p>{}</p></video>", "<map><area alt='{}'></map>"),
        ("<center>{}</center>", "<marquee scrollamount=0>{}</marquee>", "<dl><dt>A</dt><dd>{}</dd></dl>", "<figure><figcaption>{}</figcaption></figure>",
         "<ruby>{}<rp>(</rp><rt>x</rt></ruby>", "<details open><summary>A</summary><p>{}</p></details>", "<button>{}</button>", "<address>{}</address>",
         "<p inert>{}</p>", "<output>{}</output>", "<p contenteditable>{}</p>"),
    ),
}  # fmt: skip
