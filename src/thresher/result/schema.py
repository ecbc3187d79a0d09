"""The JSON of a result as a JSON Schema, read off the types that it is made of.

result   `Extraction.to_dict()`, and with `blocks=True`
line     a line of `thresher extract --json`, also of an input that failed or was held back
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from thresher.metadata.record import Metadata
from thresher.result.appended import OtherArticle
from thresher.result.blocks import Block
from thresher.result.diagnosis import Status
from thresher.result.extraction import Extraction
from thresher.result.threads.posts import Comment, Post

__all__ = ["json_type", "line_schema", "result_schema"]

Json = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_OF_RESULT = ("status", "confidence", "method", "focus")  # attributes of an Extraction that stand in its JSON
_OF_BLOCK = ("text", "kept", "score", "reasons", "xpath")


def result_schema() -> Json:
    """What `thresher.extract(…).to_dict()` gives."""
    own = get_type_hints(Extraction)
    properties = {
        **_properties(Metadata),
        "source": json_type(str | None),
        "text": json_type(str),
        "markdown": json_type(str),
        "posts": json_type(tuple[Post, ...]),
        "comments": json_type(tuple[Comment, ...]),
        "others": json_type(tuple[OtherArticle, ...]),
        **{name: json_type(own[name]) for name in _OF_RESULT},
        "warnings": json_type(tuple[str, ...]),
        "version": json_type(str),
    }
    blocks = {name: each for name, each in _properties(Block).items() if name in _OF_BLOCK}
    schema = _object(properties)
    schema["properties"]["blocks"] = {"type": "array", "items": _object(blocks)}
    return {"$schema": _DIALECT, "title": "A result of Thresher", **schema}


def line_schema() -> Json:
    """A line of `thresher extract --json`: a result, or why there is none."""
    result = result_schema()
    statuses = [*get_args(Status), "http_error"]
    result["properties"] |= {"input": json_type(str), "reason": json_type(str), "http": {"type": "object"}}
    result["properties"]["status"] = {"enum": statuses}
    result["required"].append("input")
    failure = _object(
        {"input": json_type(str), "reason": json_type(str), "warnings": json_type(tuple[str, ...])}
        | {"status": {"enum": ["failed", "held_back"]}}
    )
    del result["$schema"], result["title"]
    return {"$schema": _DIALECT, "title": "A line of `thresher extract --json`", "anyOf": [result, failure]}


def json_type(hint: Any) -> Json:
    """The schema of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        kinds = [json_type(each) for each in arguments]
        simple = [kind["type"] for kind in kinds if list(kind) == ["type"]]
        return {"type": simple} if len(simple) == len(kinds) else {"anyOf": kinds}
    if origin in (tuple, list):
        return {"type": "array", "items": json_type(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": json_type(arguments[1])}
    if is_dataclass(hint):
        return _object(_properties(hint))
    raise TypeError(f"{hint} has no form in JSON")


def _properties(kind: Any) -> Json:
    hints = get_type_hints(kind)
    return {each.name: json_type(hints[each.name]) for each in fields(kind)}


def _object(properties: Json) -> Json:
    """All of these are there; new ones may be added at any time (docs/stability.md)."""
    return {"type": "object", "properties": properties, "required": list(properties)}
