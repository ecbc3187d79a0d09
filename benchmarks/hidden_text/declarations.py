"""Properties with values that are likely to hide a text and with values that are not; the browser has the last word.

`{name}` in a value stands for a random value of a kind (`KINDS`).
"""

# ruff: noqa: E501  (a declaration or a page a line)
from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

__all__ = ["DECLARATIONS", "KINDS", "filled"]


def _length(low: float, high: float, units: str = "px px px em rem pt ch") -> Callable[[Random], str]:
    """A length between two numbers of pixels, in a random unit."""
    pixels = {"px": 1, "em": 16, "rem": 16, "pt": 1.33, "ch": 8, "cm": 37.8, "mm": 3.78, "in": 96, "vw": 12.8, "vh": 8}

    def value(random: Random) -> str:
        unit = random.choice(units.split())
        return f"{round(random.uniform(low, high) / pixels[unit], 2):g}{unit}"

    return value


KINDS: dict[str, Callable[[Random], str]] = {
    "nothing": lambda random: random.choice(("0", "0px", "0em", "0%", "calc(0px)", "calc(1em - 1em)", "0.0rem")),
    "size": _length(120, 500),
    "tall": _length(900, 3000),
    "some": _length(5, 60),
    "line": _length(18, 28),
    "left": lambda random: "-" + _length(2500, 20000, "px px em rem cm in vw")(random),
    "right": _length(2600, 20000, "px em rem vw"),
    "up": lambda random: "-" + _length(2500, 20000, "px em rem cm in vh")(random),
    "gone": lambda random: random.choice(("0", "0%", "0.0", ".005", "1%", "calc(0 * 1)", "-1")),
    "there": lambda random: random.choice((".7", "1", "85%", "0.9", "100%", "calc(1 - .2)")),
    "type": _length(12, 30),
    "speck": lambda random: random.choice(("0", "0px", "1px", ".05em", "0.01rem", "2%", "calc(2px - 1px)", ".5pt")),
    "white": lambda random: random.choice(
        ("white", "#fff", "#ffffff", "#fefefe", "rgb(255 255 255)", "rgba(255,255,255,1)", "hsl(0 0% 100%)",
         "#fffffe", "snow", "lab(100 0 0)", "hwb(0 100% 0%)", "color(srgb 1 1 1)", "oklch(1 0 0)",
         "color-mix(in srgb, white, white)", "color-mix(in srgb, black 0%, white)", "#fcfcfc")
    ),
    "clear": lambda random: random.choice(
        ("transparent", "#0000", "#12345600", "rgba(0,0,0,0)", "rgb(0 0 0 / 0%)", "hsla(120, 50%, 50%, 0)",
         "rgb(0 0 0 / .01)", "color-mix(in srgb, transparent, transparent)", "oklch(.5 .1 90 / 0)")
    ),
    "dark": lambda random: random.choice(
        ("black", "#222", "navy", "rgb(20 40 60)", "#663399", "hsl(0 80% 30%)", "darkred", "oklch(.3 .1 20)",
         "color-mix(in srgb, black, blue)", "rgba(0, 0, 0, .8)", "canvastext", "#005")
    ),
    "ground": lambda random: random.choice(("black", "#333", "navy", "#0a5", "rgb(20, 40, 60)", "darkred", "teal")),
    "pale": lambda random: random.choice(("#eee", "beige", "rgb(240 240 250)", "#ffc", "lightyellow", "white")),
}  # fmt: skip


def filled(template: str, random: Random) -> str:
    """A template with random values; `{ground}` twice is the same value twice."""
    values: dict[str, str] = {}

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values or name not in ("ground", "dark"):
            values[name] = KINDS[name](random)
        return values[name]

    return re.sub(r"\{(\w+)\}", value, template)


# name -> (declarations that are likely to hide, declarations that are not)
DECLARATIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "display": (("display: none",), ("display: flex", "display: grid", "display: inline-block", "display: table")),
    "visibility": (("visibility: hidden", "visibility: collapse"), ("visibility: visible",)),
    "opacity": (("opacity: {gone}",), ("opacity: {there}",)),
    "content-visibility": (("content-visibility: hidden",), ("content-visibility: auto", "content-visibility: visible")),
    "filter": (
        ("filter: opacity({gone})", "filter: contrast(0) brightness(9)", "filter: brightness(99)",
         "filter: blur(40px)", "filter: invert(1) brightness(0) invert(1)", "filter: blur(0) opacity(0%)"),
        ("filter: none", "filter: opacity({there})", "filter: contrast(1.2)", "filter: grayscale(1)", "filter: invert(0)",
         "filter: drop-shadow(1px 1px 1px red)", "filter: brightness(.8)", "filter: sepia(1)"),
    ),
    "-webkit-filter": (("-webkit-filter: opacity(0)",), ("-webkit-filter: opacity(1)", "-webkit-filter: none")),
    "mask": (
        ("mask: linear-gradient(transparent, transparent)", "mask: linear-gradient({clear} 0 0)",
         "mask: url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)",
         "mask: radial-gradient(#0000, #0000)", "mask: url(#none)"),
        ("mask: none", "mask: linear-gradient(black, black)", "mask: linear-gradient(#000 0 0)"),
    ),
    "mask-image": (
        ("mask-image: linear-gradient(transparent, transparent)", "mask-image: conic-gradient(#0000, #0000)"),
        ("mask-image: none", "mask-image: linear-gradient(#000, #000)"),
    ),
    "-webkit-mask-image": (
        ("-webkit-mask-image: linear-gradient(transparent 0 100%)",), ("-webkit-mask-image: none",)
    ),
    "mask-size": (
        ("mask: linear-gradient(#000 0 0) no-repeat; mask-size: 0 0",
         "mask-image: linear-gradient(#000 0 0); mask-repeat: no-repeat; mask-size: 1px 1px"),
        ("mask: linear-gradient(#000 0 0) no-repeat; mask-size: 100% 100%", "mask-size: 1px 1px"),
    ),
    "mask-position": (
        ("mask: linear-gradient(#000 0 0) no-repeat 9999px 0 / 10px 10px",),
        ("mask-position: 9999px 0", "mask: linear-gradient(#000 0 0) no-repeat 0 0 / 100% 100%"),
    ),
    "clip": (
        ("position: absolute; clip: rect(0, 0, 0, 0)", "position: absolute; clip: rect(1px 1px 1px 1px)",
         "position: fixed; top: 20px; clip: rect(0px, 1px, 1px, 0px)"),
        ("clip: rect(0,0,0,0)", "position: absolute; clip: auto", "position: relative; clip: rect(0 0 0 0)",
         "position: absolute; clip: rect(0px, 900px, 200px, 0px)"),
    ),
    "clip-path": (
        ("clip-path: inset(50%)", "clip-path: inset(100%)", "clip-path: inset(0 100% 0 0)", "clip-path: circle(0)",
         "clip-path: polygon(0 0, 0 0, 0 0)", "clip-path: ellipse(0 50%)", "clip-path: rect(0 0 0 0)",
         "clip-path: xywh(0 0 0 100%)", "clip-path: path('M0 0')", "clip-path: circle(10px at -50px -50px)",
         "clip-path: polygon(0 0, 100% 0, 50% 0)", "clip-path: inset(999px)", "clip-path: circle(0.1px at 0 0)",
         "clip-path: path('M0 0L0 0L0 0Z')", "clip-path: polygon(-99px -99px, -9px -99px, -9px -9px)"),
        ("clip-path: none", "clip-path: inset(0)", "clip-path: circle(100%)", "clip-path: inset(0 0 1px)",
         "clip-path: polygon(0 0, 100% 0, 100% 100%, 0 100%)", "clip-path: xywh(0 0 100% 100%)", "clip-path: border-box",
         "clip-path: path('M0 0H2000V900H0Z')", "clip-path: ellipse(100% 100%)"),
    ),
    "font-size": (
        ("font-size: {speck}",),
        ("font-size: {type}", "font-size: larger", "font-size: 90%", "font-size: 1.2em", "font-size: x-large",
         "font-size: clamp(12px, 2vw, 20px)", "font-size: max(14px, 1vw)", "font-size: 1.5vw"),
    ),
    "font": (
        ("font: 0/1 serif", "font: 0 a", "font: italic bold 1px/1 serif", "font: .05em serif"),
        ("font: 16px/1.5 serif", "font: italic 1.2em sans-serif", "font: caption", "font: 100% monospace",
         "font: normal 14px/20px Arial, sans-serif"),
    ),
    "font-size-adjust": (("font-size-adjust: 0",), ("font-size-adjust: none", "font-size-adjust: .5")),
    "zoom": (("zoom: .01", "zoom: 2%", "zoom: .05", "zoom: 0.001"), ("zoom: 1", "zoom: 1.2", "zoom: 90%", "zoom: normal")),
    "line-height": (
        ("line-height: 0; overflow: hidden", "line-height: 0px; overflow: clip"),
        ("line-height: 1", "line-height: normal", "line-height: 0", "line-height: 2em", "line-height: 30px"),
    ),
    "width": (
        ("width: {nothing}; overflow: hidden; white-space: nowrap", "width: 0; overflow: clip"),
        ("width: {size}", "width: {nothing}", "width: {size}; overflow: hidden", "width: max-content", "width: 80%"),
    ),
    "max-width": (("max-width: {nothing}; overflow: hidden",), ("max-width: {size}", "max-width: none", "max-width: 0")),
    "inline-size": (("inline-size: 0; overflow: hidden",), ("inline-size: {size}", "inline-size: auto")),
    "height": (
        ("height: {nothing}; overflow: hidden", "height: 1px; overflow: hidden", "height: 0; overflow: clip",
         "height: {nothing}; overflow: auto", "height: 0; overflow-y: scroll"),
        ("height: {nothing}", "height: {size}; overflow: hidden", "height: auto; overflow: hidden", "height: 1px",
         "height: 30vh", "height: min-content; overflow: hidden"),
    ),
    "max-height": (
        ("max-height: {nothing}; overflow: hidden", "max-height: 1px; overflow: hidden"),
        ("max-height: {size}; overflow: hidden", "max-height: none; overflow: hidden", "max-height: 0", "max-height: 60vh"),
    ),
    "block-size": (("block-size: {nothing}; overflow: hidden",), ("block-size: {size}", "block-size: 0")),
    "max-block-size": (("max-block-size: 0; overflow: hidden",), ("max-block-size: {size}; overflow: hidden",)),
    "min-height": (
        ("height: 0; min-height: 0; overflow: hidden",),
        ("height: 0; min-height: {size}; overflow: hidden", "min-height: {size}", "max-height: 0; min-height: 3em; overflow: clip"),
    ),
    "padding": (
        ("height: 0; overflow: hidden; padding: 0 {some}",),
        ("height: 0; overflow: hidden; padding-bottom: {size}", "padding: {some}", "height: 0; padding: {size} 0; overflow: hidden"),
    ),
    "overflow": (
        ("height: 0; overflow: hidden visible", "height: 0; overflow: scroll"),
        ("overflow: hidden", "overflow: auto", "height: 0; overflow: visible", "overflow: scroll"),
    ),
    "contain": (
        ("contain: size; overflow: hidden", "contain: strict", "contain: size paint"),
        ("contain: content", "contain: layout", "contain: size", "contain: style", "contain: paint", "contain: none"),
    ),
    "contain-intrinsic-size": (
        ("contain: size; contain-intrinsic-size: 0; overflow: hidden",),
        ("contain: size; contain-intrinsic-size: {size} {size}; overflow: hidden", "contain-intrinsic-size: 0 0"),
    ),
    "aspect-ratio": (
        ("aspect-ratio: 1000000; width: 100%; overflow: hidden; min-height: 0",),
        ("aspect-ratio: 16 / 9", "aspect-ratio: auto"),
    ),
    "position": (
        ("position: fixed; left: 150vw", "position: fixed; top: 100vh", "position: fixed; right: 100%",
         "position: fixed; bottom: -100%", "position: absolute; left: {left}", "position: fixed; bottom: 101vh",
         "position: fixed; inset: 0 0 auto 120%", "position: fixed; top: -50vh; height: 30vh"),
        ("position: fixed; top: 10px; left: 10px; background: white", "position: relative; left: {some}",
         "position: sticky; top: 0", "position: static; left: {left}", "position: absolute; top: {tall}",
         "position: fixed; bottom: 5px; right: 5px", "position: absolute; left: 100vw; width: 300px",
         "position: fixed; left: 50vw; top: 50vh"),
    ),
    "left": (
        ("position: absolute; left: {left}", "position: relative; left: {left}", "position: fixed; left: {left}",
         "position: fixed; left: {right}", "position: absolute; left: -100vw; width: 90vw", "position: absolute; left: -9999px"),
        ("position: absolute; left: {some}", "left: {left}", "position: relative; left: -3px", "position: absolute; left: 20vw"),
    ),
    "right": (
        ("position: absolute; right: {right}", "position: fixed; right: 100vw", "position: relative; right: {right}",
         "position: fixed; right: -100vw; width: 80vw", "position: absolute; right: 100vw"),
        ("position: absolute; right: {some}", "right: {right}", "position: relative; right: 5px", "position: fixed; right: 0"),
    ),
    "top": (
        ("position: absolute; top: {up}", "position: relative; top: {up}", "position: fixed; top: {up}", "position: fixed; top: 120vh",
         "position: absolute; top: -100vh"),
        ("position: absolute; top: {tall}", "top: {up}", "position: relative; top: 4px", "position: fixed; top: 50vh",
         "position: absolute; top: 150vh"),
    ),
    "bottom": (
        ("position: fixed; bottom: {up}", "position: fixed; bottom: 150%", "position: absolute; bottom: 200vh",
         "position: relative; bottom: {tall}"),
        ("position: relative; bottom: -5px", "bottom: {up}", "position: absolute; bottom: 10px", "position: absolute; bottom: {up}"),
    ),
    "inset": (
        ("position: absolute; inset: {up} auto auto 0", "position: fixed; inset: auto auto auto {left}",
         "position: fixed; inset: 100% 0 auto 0", "position: fixed; inset: 0 100vw auto auto"),
        ("position: absolute; inset: 30px auto auto 30px", "inset: {left}", "position: fixed; inset: auto 0 0 auto"),
    ),
    "inset-inline-start": (
        ("position: absolute; inset-inline-start: {left}", "position: fixed; inset-inline-start: 130vw"),
        ("position: absolute; inset-inline-start: {some}", "inset-inline-start: {left}"),
    ),
    "inset-block-start": (
        ("position: absolute; inset-block-start: {up}",), ("position: absolute; inset-block-start: {some}",)
    ),
    "margin-left": (
        ("margin-left: {left}", "margin-left: -200%", "margin-left: -150vw"), ("margin-left: {some}", "margin-left: -4px", "margin-left: 10%"),
    ),
    "margin-top": (("margin-top: {up}", "margin-top: -300vh"), ("margin-top: {some}", "margin-top: -5px", "margin-top: 200vh")),
    "margin": (
        ("margin: 0 0 0 {left}", "margin: {up} 0 0", "margin: -400vh auto 0"),
        ("margin: 0 auto", "margin: {some} {some}", "margin: -2px", "margin: 1em 0 -1em"),
    ),
    "margin-inline-start": (("margin-inline-start: {left}",), ("margin-inline-start: {some}",)),
    "text-indent": (
        ("text-indent: {left}", "text-indent: -999em", "text-indent: 200%; white-space: nowrap; overflow: hidden",
         "text-indent: -200vw"),
        ("text-indent: {some}", "text-indent: 2em", "text-indent: -1px", "text-indent: 5%"),
    ),
    "letter-spacing": (("letter-spacing: -2em", "letter-spacing: -30px"), ("letter-spacing: {line}", "letter-spacing: -.02em", "letter-spacing: normal")),
    "word-spacing": (("word-spacing: {left}",), ("word-spacing: .3em", "word-spacing: normal", "word-spacing: {some}")),
    "transform": (
        ("transform: scale(0)", "transform: scaleX(.001)", "transform: translateX({left})", "transform: rotateY(90deg)",
         "transform: translate(0, {up})", "transform: matrix(0, 0, 0, 0, 0, 0)", "transform: scale(.01, 1)",
         "transform: translate3d({left}, 0, 0)", "transform: matrix(1, 0, 0, 1, -9999, 0)", "transform: scale3d(0, 1, 1)",
         "transform: translateX(-300vw)", "transform: perspective(10px) translateZ(20px)", "transform: scale(.05)",
         "transform: translateX(-250%)", "transform: rotateX(.25turn)", "transform: scale(10%) scale(10%)"),
        ("transform: none", "transform: scale(1.1)", "transform: translateX({some})", "transform: rotate(3deg)",
         "transform: translate(-5px, 5px)", "transform: scaleX(-1)", "transform: translateZ(0)", "transform: skewX(10deg)",
         "transform: matrix(1, 0, 0, 1, 10, 10)", "transform: rotateY(20deg)", "transform: translateY(200%)"),
    ),
    "scale": (("scale: 0", "scale: .01", "scale: 1 0", "scale: 0%"), ("scale: 1", "scale: 1.2", "scale: -1 1", "scale: none")),
    "translate": (("translate: {left}", "translate: 0 {up}", "translate: -300vw", "translate: -200%"), ("translate: {some}", "translate: 5px 5px", "translate: none", "translate: 0 100%")),
    "rotate": (("rotate: x 90deg", "rotate: y .25turn", "rotate: 1 0 0 90deg"), ("rotate: 2deg", "rotate: none", "rotate: z 1deg", "rotate: 360deg")),
    "backface-visibility": (
        ("backface-visibility: hidden; transform: rotateY(180deg)", "backface-visibility: hidden; transform: rotateX(.5turn)",
         "backface-visibility: hidden; rotate: y 180deg"),
        ("backface-visibility: hidden", "backface-visibility: visible; transform: rotateX(180deg)",
         "backface-visibility: hidden; transform: rotate(180deg)", "backface-visibility: hidden; transform: rotateY(360deg)"),
    ),
    "perspective": (
        ("perspective: 1px; transform: scale(0)",),
        ("perspective: 500px", "perspective: none", "perspective: 1px"),
    ),
    "offset-path": (
        ("offset-path: path('M-9999 0L-9998 0')", "offset-path: path('M0 -5000L10 -5000'); offset-distance: 0",
         "offset-path: path('M -3000 -3000 L -2000 -3000')"),
        ("offset-path: none", "offset-path: path('M0 0L100 0'); offset-rotate: 0deg; offset-anchor: 0 0", "offset-distance: 50%"),
    ),
    "color": (
        ("color: {white}", "color: {clear}", "color: {ground}; background: {ground}", "background-color: currentColor",
         "color: {ground}; background: linear-gradient({ground}, {ground})", "color: {white}; background: {white}",
         "background: currentColor", "color: {dark}; background: {dark}", "color: color-mix(in srgb, black 1%, white)",
         "color: {clear}; text-shadow: none"),
        ("color: {dark}", "color: {white}; background: {ground}", "color: {dark}; background: {pale}", "color: inherit",
         "color: currentColor", "color: color-mix(in srgb, black 80%, white)", "color: {dark}; background: none",
         "color: {white}; background: linear-gradient(black, #333)", "color: {white}; background-image: linear-gradient(navy, navy)"),
    ),
    "-webkit-text-fill-color": (
        ("-webkit-text-fill-color: {clear}", "-webkit-text-fill-color: {white}", "color: {dark}; -webkit-text-fill-color: transparent"),
        ("-webkit-text-fill-color: {dark}", "color: {white}; -webkit-text-fill-color: {dark}", "-webkit-text-fill-color: currentcolor"),
    ),
    "background": (
        ("background: {dark}; color: {dark}", "background: black", "color: {ground}; background-color: {ground}"),
        ("background: {pale}", "background: none", "background: url(x.png) {pale}", "background: linear-gradient(white, #eee)"),
    ),
    "background-clip": (
        ("background: linear-gradient(white, white); -webkit-background-clip: text; color: transparent",
         "background: none; background-clip: text; color: transparent", "background: white; background-clip: text; -webkit-text-fill-color: transparent"),
        ("background: linear-gradient(red, blue); -webkit-background-clip: text; color: transparent",
         "background: linear-gradient(90deg, #c00, #00c); background-clip: text; -webkit-text-fill-color: transparent",
         "background-clip: padding-box", "background: navy; background-clip: text; color: transparent"),
    ),
    "text-shadow": (
        ("color: {clear}; text-shadow: none", "color: transparent; text-shadow: 0 0 0 transparent", "color: transparent; text-shadow: -9999px 0 black"),
        ("color: transparent; text-shadow: 0 0 0 black", "text-shadow: 1px 1px 2px gray", "color: white; text-shadow: 0 0 2px black, 0 0 3px black"),
    ),
    "-webkit-text-stroke": (
        ("color: transparent; -webkit-text-stroke: 0 black",),
        ("color: transparent; -webkit-text-stroke: 1px black", "-webkit-text-stroke: 1px navy"),
    ),
    "mix-blend-mode": (
        ("mix-blend-mode: screen; color: black", "mix-blend-mode: lighten", "mix-blend-mode: color-dodge"),
        ("mix-blend-mode: normal", "mix-blend-mode: multiply", "mix-blend-mode: darken", "mix-blend-mode: difference; color: white"),
    ),
    "color-scheme": (("color-scheme: dark; color: white",), ("color-scheme: light", "color-scheme: dark")),
    "-webkit-text-security": (("-webkit-text-security: disc", "-webkit-text-security: square"), ("-webkit-text-security: none",)),
    "content": (("content: url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)",), ("content: 'x'", "content: none")),
    "columns": (("height: 0; columns: 3; overflow: hidden",), ("columns: 2", "column-width: 200px", "columns: 3 100px")),
    "grid-template-rows": (
        ("display: grid; grid-template-rows: 0; overflow: hidden; height: 0",), ("display: grid; grid-template-rows: 0fr", "display: grid; grid-template-rows: auto"),
    ),
    "flex": (("display: flex; height: 0; overflow: hidden",), ("flex: 1", "flex: 0 0 auto", "display: flex; flex-wrap: wrap")),
    "float": (("float: left; width: 0; height: 0; overflow: hidden",), ("float: left", "float: right", "float: none")),
    "writing-mode": (("writing-mode: vertical-rl; width: 0; overflow: hidden",), ("writing-mode: vertical-rl", "writing-mode: horizontal-tb")),
    "direction": (("direction: rtl; text-indent: {right}",), ("direction: rtl", "direction: ltr")),
    "white-space": (("white-space: nowrap; width: 0; overflow: hidden",), ("white-space: pre", "white-space: nowrap", "white-space: pre-wrap")),
    "text-overflow": (("white-space: nowrap; width: 0; overflow: hidden; text-overflow: clip",), ("overflow: hidden; text-overflow: ellipsis",)),
    "-webkit-line-clamp": (
        ("display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden; height: 0",),
        ("display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden", "-webkit-line-clamp: 1"),
    ),
    "text-transform": ((), ("text-transform: uppercase", "text-transform: capitalize")),
    "font-weight": ((), ("font-weight: 900", "font-weight: 100")),
    "font-variant": ((), ("font-variant: small-caps", "font-stretch: 50%")),
    "z-index": ((), ("position: relative; z-index: 3", "z-index: -1")),
    "text-align": ((), ("text-align: right", "text-align: center")),
    "border": (("border: 0; height: 0; overflow: hidden",), ("border: 3px solid {dark}", "border-radius: 5px")),
    "outline": ((), ("outline: 2px dashed red", "box-shadow: 0 0 4px gray")),
    "animation": (
        ("animation: leave 0s forwards", "animation: leave 1ms linear forwards", "animation: leave 9s infinite paused; opacity: 0",
         "animation-name: leave; animation-fill-mode: both; animation-duration: .01s"),
        ("animation: none", "animation: absent 1s forwards", "animation: enter 1ms forwards; opacity: 0"),
    ),
    "transition": (("transition: opacity 1s; opacity: 0",), ("transition: all 1s", "transition: opacity 2s; opacity: 1")),
    "will-change": (("will-change: transform; opacity: 0",), ("will-change: opacity", "will-change: transform")),
    "isolation": ((), ("isolation: isolate", "box-sizing: border-box")),
    "cursor": ((), ("cursor: none", "pointer-events: none", "user-select: none")),
    "all": (("all: initial; display: none",), ("all: unset; display: block", "all: revert")),
    "max-inline-size": (("max-inline-size: 0; overflow: hidden; white-space: nowrap",), ("max-inline-size: {size}; overflow: hidden",)),
    "inset-inline": (("position: fixed; inset-inline: 110vw auto", "position: absolute; inset-inline: {left} auto"), ("position: absolute; inset-inline: 10px auto",)),
    "inset-block": (("position: fixed; inset-block: 110vh auto", "position: absolute; inset-block: {up} auto"), ("position: relative; inset-block: 3px auto",)),
    "margin-block": (("margin-block: {up} 0",), ("margin-block: {some}",)),
    "margin-block-start": (("margin-block-start: {up}",), ("margin-block-start: {some}",)),
    "overflow-x": (("width: 0; overflow-x: hidden; white-space: nowrap",), ("overflow-x: auto", "overflow-x: hidden")),
    "overflow-y": (("max-height: 0; overflow-y: hidden", "height: 0; overflow-y: clip"), ("overflow-y: auto",)),
    "important": (
        ("display: none !important; display: block", "opacity: 0 !important; opacity: 1", "visibility: hidden!important"),
        ("display: block !important; display: none", "opacity: 1 !important; opacity: 0"),
    ),
    "spelling": (
        ("DISPLAY: NONE", "display:/**/none", "di\\73play: none", "opacity: 0e0", "opacity: +0", "display: n\\6fne"),
        ("display: none none", "display: 'none'", "opacity: zero", "display none", "opacity: 0px", "font-size: -1px"),
    ),
    "calc": (
        ("opacity: calc(1 - 1)", "font-size: calc(1px * 0)", "position: absolute; left: calc(-100vw * 9)",
         "height: min(0px, 10em); overflow: hidden", "max-height: clamp(0px, 1px, 0px); overflow: hidden",
         "font-size: min(0px, 2em)", "width: max(0px, -5px); overflow: hidden; white-space: nowrap", "transform: translateX(calc(-50px - 500vw))"),
        ("opacity: calc(1 - .2)", "font-size: calc(8px + 1em)", "height: max(40px, 3em); overflow: hidden", "width: min(80%, 900px); overflow: hidden",
         "font-size: max(0px, 1em)", "max-height: calc(100% - 5px); overflow: hidden"),
    ),
    "attr": (("opacity: attr(data-none type(<number>), 0)", "font-size: attr(data-none px, 0px)"), ("color: attr(data-none type(<color>), black)",)),
    "env": (("opacity: env(nothing, 0)", "display: env(nothing, none)"), ("opacity: env(nothing, 1)", "font-size: env(nothing, 18px)")),
    "if": (("opacity: if(media(print): 1; else: 0)",), ("opacity: if(media(print): 0; else: 1)",)),
    "blocks in a line": (
        ("display: inline-block; width: 0; height: 0; overflow: hidden", "display: inline-flex; height: 0; overflow: clip",
         "display: inline-block; transform: scale(0)", "display: inline-block; text-indent: {left}"),
        ("display: inline-block; width: {size}; overflow: hidden",),
    ),
    "table parts": (
        ("display: table-column", "display: table-column-group", "display: table; visibility: collapse"),
        ("display: table-cell; width: 0; overflow: hidden", "display: table-row", "display: table; height: 0; overflow: hidden"),
    ),
    "ruby and frames": (("display: ruby-text; font-size: 0", "display: none; float: left"), ("display: contents", "display: contents; opacity: 0", "display: flow-root")),
    "rotations": (
        ("transform: rotate3d(1, 0, 0, 90deg)", "transform: rotate3d(0, 1, 0, 100grad)", "transform: rotateX(1.5707963rad)", "transform: rotateY(-90deg)",
         "transform: matrix3d(0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1)", "transform: skewX(90deg)", "transform: rotateX(60deg) rotateX(30deg)"),
        ("transform: rotate3d(0, 0, 1, 90deg)", "transform: rotateX(30deg)", "transform: rotate(180deg)", "transform: matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1)"),
    ),
    "far along a path": (
        ("offset-path: ray(90deg); offset-distance: 9999px; offset-position: 0 0; position: absolute", "offset: path('M-5000 0L-5001 0') 0"),
        ("offset-path: ray(90deg); offset-distance: 0px; offset-rotate: 0deg; offset-anchor: left top",),
    ),
    "filters": (
        ("filter: brightness(0) invert(1)", "filter: contrast(0) brightness(2)", "filter: opacity(50%) opacity(1%)", "filter: invert(100%)",
         "filter: url(#none) opacity(0)", "filter: grayscale(1) opacity(0)", "filter: saturate(0) brightness(1000%)", "filter: blur(3em)"),
        ("filter: brightness(1.5)", "filter: hue-rotate(90deg)", "filter: blur(.4px)", "filter: invert(1) invert(1)", "filter: saturate(2) contrast(1.5)"),
    ),
    "backdrop-filter": ((), ("backdrop-filter: blur(5px)", "backdrop-filter: opacity(0)")),
    "clip shapes": (
        ("clip-path: inset(0 0 100% 0)", "clip-path: inset(60% 0)", "clip-path: inset(0 50%)", "clip-path: polygon(50% 50%, 50% 50%, 50% 50%)",
         "clip-path: circle(0px at center)", "clip-path: ellipse(0 0)", "clip-path: inset(0 0 0 110%)", "clip-path: rect(0 auto 0 0)",
         "clip-path: polygon(0 110%, 100% 110%, 100% 120%)", "clip-path: circle(5% at 200% 200%)", "clip-path: shape(from 0 0, line to 0 0, close)",
         "clip-path: xywh(110% 0 10% 100%)", "clip-path: inset(0 calc(50% + 1px))"),
        ("clip-path: inset(-10px)", "clip-path: inset(0 round 5px)", "clip-path: circle(2000px at 0 0)", "clip-path: polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%)",
         "clip-path: rect(auto auto auto auto)", "clip-path: margin-box"),
    ),
    "several colours": (
        ("color: rgb(from white r g b)", "color: #fff; background: #fff none", "color: hsl(0deg 0% 100% / 100%)", "color: rgb(100% 100% 100%)",
         "color: color(display-p3 1 1 1)", "color: rgb(255 255 255 / 5%)", "color: rgba(0, 0, 0, .02)", "color: light-dark(white, black)",
         "color: hsl(120 100% 100%)", "color: oklab(1 0 0)", "color: lch(100 0 0)", "color: hwb(90 100% 0%)"),
        ("color: rgb(from black r g b)", "color: hsl(0deg 0% 0%)", "color: light-dark(black, white)", "color: rgb(0 0 0 / 90%)", "color: color(srgb 0 0 0)",
         "color: lab(20 0 0)", "color: white; background: rgb(0 0 0 / 80%)", "color: black; background: rgb(0 0 0 / 20%)"),
    ),
    "stroke and fill": (
        ("color: white; -webkit-text-stroke: 1px white", "-webkit-text-fill-color: white; -webkit-text-stroke: 0", "color: transparent; text-decoration: underline black"),
        ("color: white; -webkit-text-stroke: 1px black", "-webkit-text-fill-color: black; color: white", "color: red; -webkit-text-fill-color: initial"),
    ),
}  # fmt: skip
