"""What readers correct in their browsers, on disk: beside the labels of `thresher serve --label`, in the same forms.

labels.jsonl           every correction as labels, under the address of the page (`labelling.store`)
labels.jsonl.pages/    the pages that they are about, as they were seen
corrected.txt          the addresses: `thresher serve --label corrected.txt` shows these pages with their labels
rules/HOST.json        the rules of a site, which hold for its next page (docs/site-rules.md)
"""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

from thresher.errors import RulesError
from thresher.labelling.corrections import with_rules
from thresher.labelling.queue import Loaded, keep_page
from thresher.labelling.store import LabelStore
from thresher.learn.labelfile import Name
from thresher.rules.rules import SiteRule, SiteRules
from thresher.rules.ruling import site_host
from thresher.web.settings import ServerSettings

__all__ = ["SiteFiles"]

_HOST = re.compile(r"[a-z0-9][a-z0-9.-]{0,252}")


class SiteFiles:
    """The files of one server.  Methods may be called from any thread."""

    def __init__(self, settings: ServerSettings) -> None:
        self.labels = settings.labels or settings.data / "labels.jsonl"
        self.pages = self.labels.with_name(f"{self.labels.name}.pages")
        self.addresses = self.labels.with_name("corrected.txt")
        self._rules = settings.data / "rules"
        self._lock = threading.Lock()

    def rules(self, url: str | None) -> dict[str, Any] | None:
        """The rules of the site of a page, as JSON; RulesError for a file that somebody broke."""
        path = self._path(url)
        return SiteRules.load(path).to_dict() if path is not None and path.is_file() else None

    def correct(self, url: str, page: Loaded, labeller: str, labels: list[tuple[str, Name]]) -> None:
        """Write the labels of a page, and the page."""
        with self._lock:
            keep_page(self.pages, url, page)
            LabelStore(self.labels).add(url, labeller, labels)
            known = self.addresses.read_text(encoding="utf-8").splitlines() if self.addresses.is_file() else []
            if url not in known:
                with self.addresses.open("a", encoding="utf-8") as file:
                    file.write(f"{url}\n")

    def learn(self, url: str, rules: list[SiteRule]) -> dict[str, Any]:
        """The rules of the site with these; they hold from now on."""
        path = self._path(url)
        if path is None:
            raise RulesError("a page without a host has no site whose rules could be kept")
        with self._lock:
            before = SiteRules.load(path) if path.is_file() else None
            after = with_rules(before, path.stem, rules)
            path.parent.mkdir(parents=True, exist_ok=True)
            after.save(path)
        return after.to_dict()

    def forget(self, url: str) -> None:
        """Take back the rules that readers made of a site; those that were learned from its pages stay."""
        path = self._path(url)
        if path is None or not path.is_file():
            return
        with self._lock:
            before = SiteRules.load(path)
            learned = tuple(rule for rule in before.rules if rule.seen is not None)
            if learned:
                SiteRules(learned, before.site, before.learned, before.pages, before.thresher).save(path)
            else:
                path.unlink()

    def _path(self, url: str | None) -> Path | None:
        host = site_host(url) or ""
        return self._rules / f"{host}.json" if _HOST.fullmatch(host) else None
