"""Declarative shadow roots: the page is the flat tree, and their sheets hold for them alone."""

from __future__ import annotations

import pytest

from thresher import parse
from thresher.visible.readable import readable


def _read(body: str, head: str = "") -> list[str]:
    page = parse(f"<!DOCTYPE html><head>{head}</head><body>{body}</body>")
    return [text.strip() for text, seen in zip(page.text, readable(page), strict=True) if seen]


def _shadow(inside: str, around: str = "", host: str = "div") -> str:
    return f'<{host} class="host"><template shadowrootmode="open">{inside}</template>{around}</{host}>'


def test_slots_put_the_children_of_a_host_where_they_stand():
    body = _shadow("<slot name=b></slot>one<slot></slot>two<slot name=a></slot>", "<i slot=a>a</i>x<b slot=b>b</b>")
    assert _read(body) == ["b", "one", "x", "two", "a"]


def test_what_no_slot_takes_is_not_read_and_a_fallback_only_where_nothing_is_assigned():
    assert _read(_shadow("<p>inside</p>", "<p>outside</p>text")) == ["inside"]
    assert _read(_shadow("<slot>fallback</slot>", "<p>child</p>")) == ["child"]
    assert _read(_shadow("<slot>fallback</slot>", " <p slot=a>child</p>")) == ["fallback"]
    assert _read(_shadow("<slot></slot><slot>second</slot>", "<p>child</p>")) == ["child", "second"]


def test_a_slot_of_a_slot_passes_its_children_on():
    inner = _shadow("<p>head</p><slot></slot>", "<slot></slot><p>foot</p>")
    assert _read(_shadow(inner, "<p>child</p>")) == ["head", "child", "foot"]


@pytest.mark.parametrize("host", ["ul", "table", "a", "button"])
def test_a_template_in_an_element_that_can_be_no_host_stays_one(host):
    assert "inside" not in _read(_shadow("inside", host=host))


def test_the_second_template_of_a_host_stays_one():
    one, two = (f"<template shadowrootmode=open>{text}</template>" for text in ("one", "two"))
    assert _read(f"<div>{one}{two}</div>") == ["one"]


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        (_shadow("<style>p {display: none}</style><p>in</p>"), []),
        (_shadow("<style>p {display: none}</style><slot></slot>", "<p>out</p>"), ["out"]),
        (_shadow("<style>p {opacity: 0}</style><p>in</p>") + "<p>page</p>" + _shadow("<p>o</p>"), ["page", "o"]),
        (_shadow("<style>:host {opacity: 0}</style><p>in</p>"), []),
        (_shadow("<style>:host(.host) {opacity: 0}</style><p>in</p>"), []),
        (_shadow("<style>:host(.other) {opacity: 0}</style><p>in</p>"), ["in"]),
        (_shadow("<style>:host p {display: none}</style><p>in</p><slot></slot>", "<p>out</p>"), ["out"]),
        (_shadow("<style>::slotted(p) {opacity: 0}</style><p>in</p><slot></slot>", "<p>out</p><b>b</b>"), ["in", "b"]),
        (_shadow("<style>.x {visibility: hidden}</style><div class=x><slot></slot></div>", "<p>out</p>"), []),
        (_shadow("<style>.host .x {display: none}</style><div class=x>in</div>"), ["in"]),
        (_shadow("<style media=print>p {display: none}</style><p>in</p>"), ["in"]),
        (_shadow('<slot style="display: none">fallback</slot>'), []),
        (_shadow("<slot slotted>fallback</slot>"), ["fallback"]),
    ],
)  # fmt: skip
def test_a_sheet_in_a_shadow_root_holds_for_that_root(body, seen):
    assert _read(body) == seen


@pytest.mark.parametrize(
    ("css", "body", "seen"),
    [
        (".x {display: none}", _shadow("<p class=x>in</p>"), ["in"]),
        (".x {display: none}", _shadow("<slot></slot>", "<p class=x>out</p>"), []),
        (".host > .x {display: none}", _shadow("<slot></slot>", "<p class=x>out</p>"), []),
        (".host .x {display: none}", _shadow("<p class=x>in</p>"), ["in"]),
        (".host {display: block}", _shadow("<style>:host {display: none}</style>in"), ["in"]),
        (".host {display: block}", _shadow("<style>:host {display: none !important}</style>in"), []),
        (".x {opacity: 1}", _shadow("<style>::slotted(p) {opacity: 0}</style><slot>", "<p class=x>out</p>"), ["out"]),
    ],
)  # fmt: skip
def test_the_sheets_of_a_page_do_not_reach_into_its_shadow_roots(css, body, seen):
    assert _read(body, f"<style>{css}</style>") == seen
