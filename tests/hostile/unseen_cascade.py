"""Sheets that a browser reads in its own order, or not at all: layers, lists with a wrong selector, addresses; and
styles that hide together.  Each was looked at in Chromium.
"""

from __future__ import annotations

__all__ = ["MARKUP", "SEEN", "SHEETS"]

# One of these in a list, and the whole rule is void.
_REFUSED = (
    ":hovr", "::befor", "p..x", ".1x", "#1", "p >", "p > > b", "p + ~ b", "p!", "p%", "p /deep/ b", "p >>> b", "[a=1]",
    "[a!=b]", "[a=]", "[]", "p*", ".xp*", "[a]p", ":not()", ":not(:hovr)", ":has(:hovr)", ":has(:has(p))",
    ":nth-child(x)", ":nth-child(2 of :hovr)", ":first-child()", ":not", ":-moz-any(p)", ":matches(p)",
    "::-moz-selection", "p::before.x", "p::before b", ":visible", ":contains(a)", "p:first", "p:is(", "p)",
    ":lang()", ":dir( )",
)  # fmt: skip
# None of these voids a list.
_ACCEPTED = (
    ":is(:hovr)", ":where(p..x, b)", "::-webkit-nothing", "p::before", ":-webkit-any(b)", ".\\31 x", "[a='1' i]", "*|b",
    "b:nth-child( 2N + 1 of i )", "b:not(i b, u)", "::slotted(b)", ":host", "b::part(a)", "b:hover::after",
    "i:lang(de)",
)  # fmt: skip
_ORDERS = {
    "named": "@layer a, b; @layer b { .x { display:VALUE } } @layer a { #i { display:OTHER } }",
    "named by their rules": "@layer a { .y{} } @layer b { .x { display:VALUE } } @layer a { #i { display:OTHER } }",
    "named in capitals": "@LAYER a, b; @Layer b { .x { display:VALUE } } @layer a { #i { display:OTHER } }",
    "important": "@layer a, b; @layer a{.x{display:VALUE!important}} @layer b{#i{display:OTHER!important}}",
    "inside of one": "@layer a { .x { display:VALUE } @layer c { #i { display:OTHER } } }",
    "by a path": "@layer a.b, a.c; @layer a { @layer c { .x{display:VALUE} } } @layer a.b { #i{display:OTHER} }",
    "by a path later": "@layer a { .x { display:VALUE } } @layer a.b { #i { display:OTHER } }",
    "without a name": "@layer { #i { display:OTHER } } @layer { .x { display:VALUE } }",
    "named after one without": "@layer { #i{display:OTHER} } @layer a { .x{display:VALUE} }",
    "of an import": "@import url(a.css) layer(a); @layer b, a; @layer b{.x{display:VALUE}} @layer a{#i{display:OTHER}}",
    "named in a condition": "@media screen{@layer a, b;} @layer b{.x{display:VALUE}} @layer a{#i{display:OTHER}}",
    "not named in a comment": "/*@layer b, a;*/ @layer a{#i{display:OTHER}} @layer b{.x{display:VALUE}}",
    "not named in a string": ".y{content:'@layer b, a;'} @layer a{#i{display:OTHER}} @layer b{.x{display:VALUE}}",
    "not named for print": "@media print{@layer b, a;} @layer a{#i{display:OTHER}} @layer b{.x{display:VALUE}}",
}


def _ordered(value: str, other: str) -> dict[str, str]:
    return {f"layers {name}": css.replace("VALUE", value).replace("OTHER", other) for name, css in _ORDERS.items()}


SHEETS = {
    **_ordered("none", "block"),
    **{f"shown in a list with {wrong}": f".x{{display:none}} #i, {wrong} {{display:block}}" for wrong in _REFUSED},
    **{f"hidden in a list with {right}": f".x, {right} {{display:none}}" for right in _ACCEPTED},
    "shown inside of a list that is void": ".x{display:none} article, :hovr { #i {display:block} }",
    "an address with a brace": ".x { background:url(}); display:none }",
    "an address with an open brace": ".y { background:url({) } .x { display:none }",
    "an address with a comment": ".y { background:url(/*) } .x { display:none }",
    "an address with a quote": ".y { background:URL( a'b ) } .x { display:none }",
    "an address with a bracket": ".y { background:url(a\\)}b) } .x { display:none }",
    "a direction": ":dir(ltr).x { display:none }",
    "a place among others": "p:nth-child(1 of .x) { display:none }",
    "a place from the end among others": ":nth-last-child(1 of .x, .y) { display:none }",
    "what is read-only": ".x:read-only { display:none }",
    "what is defined": ".x:defined { display:none }",
    "what asks for nothing": ".x:not(:required):not(:placeholder-shown):not(:disabled) { display:none }",
    "the only one of a kind": "article :is(:only-of-type, .x) { display:none } h1{display:block!important}",
    "times the letters of the root": "html{font-size:0} p, h1{font-size:16px} #i{font-size:2rem}",
}
MARKUP = {
    "opacities in each other": "<div style=opacity:.1><p style=opacity:.2>{}</p></div>",
    "opacities in each other, by rules": "<style>.o{opacity:30%}</style>" + "<div class=o>" * 4 + "{}" + "</div>" * 4,
    "an opacity around another": "<div style=opacity:.4><div style=opacity:.4><p style='opacity:.1'>{}</p></div></div>",
    "lines without a height": "<p style='line-height:0;overflow:hidden'>{}</p>",
    "lines without a height, around": "<div style='line-height:0'><p style='overflow:hidden'>a <b>{}</b></p></div>",
    "lines without a height, by rules": "<style>.l{line-height:0px}.m{overflow:clip}</style><p class='l m'>{}</p>",
    "a link": "<style>.k:link{display:none}</style><p><a class=k href=/a>{}</a></p>",
    "another direction": "<style>.k:dir(rtl){display:none}</style><div dir=RTL><p class=k>{}</p></div>",
    "an address in an attribute": "<p style='background:url(a;b:c);display:none'>{}</p>",
}
SEEN = {
    **{
        f"sheet, {name}": f"<style>{css}</style><p class=x id=i>{{}}</p>"
        for name, css in _ordered("block", "none").items()
    },
    **{
        f"hidden in a list with {wrong}": f"<style>.k, {wrong} {{display:none}}</style><p class=k>{{}}</p>"
        for wrong in _REFUSED
    },
    "two opacities": "<div style=opacity:.4><p style=opacity:.4>{}</p></div>",
    "opacities beside each other": "<p style=opacity:.1>words</p><p style=opacity:.4>{}</p>",
    "lines without a height that are not cut off": "<p style='line-height:0'>{}</p>",
    "lines without a height around a block": "<div style='line-height:0;overflow:hidden'><p>{}</p></div>",
    "lines without a height in a high box": "<p style='line-height:0;overflow:hidden;height:9em'>{}</p>",
    "lines with and without a height": "<p style='line-height:0;overflow:hidden'><b style=line-height:1>{}</b></p>",
    "another direction inside": "<style>.k:dir(rtl){display:none}</style><div dir=rtl><p dir=ltr class=k>{}</p></div>",
    "no direction": "<style>.k:dir(rtl){display:none}</style><p dir=right class=k>{}</p>",
    "another language inside": "<style>.k:lang(de){display:none}</style><div lang=de><p lang=fr class=k>{}</p></div>",
    "a place among others": "<style>.k:nth-child(2 of .k){display:none}</style><p>words</p><p class=k>{}</p>",
    "a style in an address": "<p style='background:url(a;display:none)'>{}</p>",
    "no address": "<style>.q{background:myurl(a}.k{color:red}) } .z{display:none}</style><p class=k>{}</p>",
    "times the letters of the page": "<style>body{font-size:0} .k{font-size:1rem}</style><p class=k>{}</p>",
}
