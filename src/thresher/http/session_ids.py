"""Session identifiers and tracking parameters in addresses: they say something about the visitor, not about the page.

without_sessions(path, query)    ;jsessionid=…, PHPSESSID=…, utm_source=…, gclid=… and empty parameters left out
"""

from __future__ import annotations

import re

__all__ = ["without_sessions"]

# Parameters that tell where a reader came from, not what the reader wants to see.
_TRACKING = frozenset(
    """
    fbclid gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid msclkid yclid ysclid twclid ttclid li_fat_id
    igshid igsh epik srsltid mc_cid mc_eid mkt_tok _ga _gl _hsenc _hsmi hsctatracking __hstc __hssc __hsfp _openstat
    s_cid wickedid vero_id oly_enc_id oly_anon_id rb_clickid ml_subscriber ml_subscriber_hash _branch_match_id _ke
    guccounter guce_referrer guce_referrer_sig
    """.split()
)
_TRACKING_STARTS = ("utm_", "pk_", "mtm_", "piwik_", "matomo_")
_SESSION = frozenset(
    "phpsessid jsessionid cfid cftoken cfsessionid sessionid session_id sessid oscsid zenid xtcsid modsid".split()
)
_SESSION_STARTS = ("aspsessionid",)
_MAYBE_SESSION = frozenset("sid s session".split())  # forums put 32 hexadecimal digits there
_LONG_HEX = re.compile(r"[0-9a-f]{20,}", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/;?]*", re.IGNORECASE)
_ASP_SESSION = re.compile(r"/\([SAFX]\([0-9a-z]{20,}\)\)(?=/|$)", re.IGNORECASE)


def without_sessions(path: str, query: str) -> tuple[str, str]:
    """Path and query of an address with nothing in them that tracks the reader or names a session."""
    path = _ASP_SESSION.sub("", _SESSION_IN_PATH.sub("", path))
    return path, "&".join(piece for piece in query.split("&") if piece and not _is_session_or_tracking(piece))


def _is_session_or_tracking(piece: str) -> bool:
    """Whether a parameter tracks the reader or names a session."""
    name, _, value = piece.partition("=")
    name = name.lower()
    return (
        name in _TRACKING
        or name in _SESSION
        or name.startswith(_TRACKING_STARTS + _SESSION_STARTS)
        or (name in _MAYBE_SESSION and _LONG_HEX.fullmatch(value) is not None)
    )
