"""Bot checks that are nothing but scripts: who made them, read off the source before the scripts are gone.

Each mark stands on the page of the check itself, not on the pages that the same company guards.
"""

from __future__ import annotations

__all__ = ["guard"]

_MAX_SIZE = 100_000  # bytes: no check is longer, and most pages are
_MAX_TEXT_BYTES = 6_000  # of all its texts: a check has little to say
_MARKS = {
    b"_cf_chl_opt": "Cloudflare",
    b"cf-error-details": "Cloudflare",
    b"captcha-delivery.com": "DataDome",
    b"px-captcha": "PerimeterX",
    b"_Incapsula_Resource?SWUDNSAI": "Imperva",
    b"Incapsula incident ID": "Imperva",
    b"KPSDK": "Kasada",
    b"sec-if-cpt-container": "Akamai",
    b"errors.edgesuite.net": "Akamai",
    b"awsWafCookieDomainList": "AWS WAF",
    b"AwsWafIntegration.checkForceRefresh": "AWS WAF",
    b"/.well-known/sgcaptcha": "SiteGround",
    b"sucuri_cloudproxy_js": "Sucuri",
    b"anubis_challenge": "Anubis",
    b"check.ddos-guard.net": "DDoS-Guard",
    b"distil_r_captcha": "Distil",
    b"/_vercel/security": "Vercel",
    b"geetest.com/captcha": "GeeTest",
}


def guard(source: bytes, text: bytes) -> str:
    """The company whose bot check this may be, with so much text; "" for nearly every page."""
    if len(source) > _MAX_SIZE or len(text) > _MAX_TEXT_BYTES:
        return ""
    return next((name for mark, name in _MARKS.items() if mark in source), "")
