"""`/docs`: the reference of the API, made from its own OpenAPI description; nothing is loaded from elsewhere."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from thresher.web.context import Here, NavigationEntry

__all__ = ["ENTRY", "router"]

ENTRY = NavigationEntry("API", "/docs")
router = APIRouter(include_in_schema=False)

Schema = dict[str, Any]

_EXAMPLES = {
    "/extract": """curl -s {base}/extract -H 'Content-Type: application/json' \\
  -d '{{"url": "https://example.org/page", "focus": "balanced"}}'

curl -s '{base}/extract?blocks=true' -H 'Content-Type: text/html' --data-binary @page.html""",
    "get /extract": "curl -s '{base}/extract?url=https://example.org/page'",
    "/r/{address}": "curl -s '{base}/r/https://example.org/page?id=7'",
    "/v2/scrape": """curl -s {base}/v2/scrape -H 'Content-Type: application/json' \\
  -d '{{"url": "https://example.org/page", "formats": ["markdown", "links"]}}'""",
    "/site/learn": """curl -s {base}/site/learn -H 'Content-Type: application/json' \\
  -d '{{"url": "https://example.org/page", "pages": 20}}'""",
    "/site/learn/{id}": "curl -s {base}/site/learn/ID",
    "/health": "curl -s {base}/health",
    "/metrics": "curl -s {base}/metrics",
}


@router.get("/docs", response_class=HTMLResponse)
async def docs(request: Request, here: Here) -> Response:
    described = request.app.openapi()
    base = f"{request.url.scheme}://{request.headers['host']}"
    routes = [
        {
            "verb": verb,
            "path": path,
            "summary": about.get("summary", ""),
            "paragraphs": [_pieces(one) for one in about.get("description", "").split("\n\n")],
            "fields": _fields(about, described),
            "example": (_EXAMPLES.get(f"{verb} {path}") or _EXAMPLES.get(path, "")).format(base=base),
        }
        for path, verbs in described["paths"].items()
        for verb, about in verbs.items()
    ]
    return here.page(request, "docs.html", routes=routes, asks=bool(here.settings.token))


def _fields(about: Schema, described: Schema) -> list[dict[str, Any]]:
    """What the body of a request, or without one its query, may hold: names, types, defaults and what they mean."""
    content = about.get("requestBody", {}).get("content", {})
    schema = _resolved(content.get("application/json", {}).get("schema", {}), described)
    if not content:
        schema = _query_schema(about)
    required = schema.get("required", [])
    return [
        {
            "name": name,
            "type": _kind(_resolved(one, described)),
            "default": "required" if name in required else json.dumps(one.get("default")),
            "about": _pieces(one.get("description", "")),
        }
        for name, one in schema.get("properties", {}).items()
    ]


def _query_schema(about: Schema) -> Schema:
    """The parameters of a query as the properties of an object."""
    parameters = [one for one in about.get("parameters", []) if one["in"] == "query"]
    return {
        "properties": {one["name"]: {"description": one.get("description", ""), **one["schema"]} for one in parameters},
        "required": [one["name"] for one in parameters if one.get("required")],
    }


def _pieces(text: str) -> list[tuple[str, bool]]:
    """A text in pieces, each with whether it stood between backticks."""
    return [(piece, bool(number % 2)) for number, piece in enumerate(text.split("`")) if piece]


def _resolved(schema: Schema, described: Schema) -> Schema:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    resolved: Schema = described.get("components", {}).get("schemas", {}).get(name, schema) if name else schema
    return resolved


def _kind(schema: Schema) -> str:
    """A type in words: `string or null`, `list of string`."""
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
