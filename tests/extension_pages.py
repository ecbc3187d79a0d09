"""Pages that the add-on is tested on, in both browsers."""

from __future__ import annotations

__all__ = ["HOSTILE", "NOTE"]

NOTE = "<div class=terms><p>{} Every reader may copy, share and print this as often as they like for any use.</p></div>"

# Names its fields as properties of nodes, patches prototypes, watches its tree, asks the server, sends events.
HOSTILE = """
<form id=f><input name=attributes><input name=childNodes><input name=firstChild><input name=localName></form>
<img name=body><img name=documentElement><img name=implementation><img name=createElement><img name=createRange>
<input type=hidden name=csrf value=token-of-the-form><input type=password value=pass-word><div id=secret></div>
<script>
  window.seen = [];
  const root = document.getElementById("secret").attachShadow({mode: "closed"});
  root.innerHTML = "<p>" + "Words in a closed root of the page. ".repeat(8) + "</p>";
  for (const name of ["message", "click", "copy"]) addEventListener(name, event => seen.push(name), true);
  const added = all => all.flatMap(one => [...one.addedNodes].map(node => node.nodeName));
  new MutationObserver(all => seen.push(...added(all))).observe(document, {childList: true, subtree: true});
  Node.prototype.appendChild = Element.prototype.attachShadow = () => { seen.push("patched"); throw 1 };
  Element.prototype.getAttributeNames = () => { seen.push("patched"); return [] };
  window.isAlone = typeof chrome === "undefined" || !chrome.runtime?.sendMessage;
  const ask = (app, path) => fetch(app + path, {
    method: "POST", body: "{}", headers: {"Content-Type": "application/json", Authorization: "Bearer x"},
  }).then(() => "read", () => "refused");
  window.attack = async app => {
    postMessage({action: "extract"}, "*");
    const host = document.querySelector("thresher-marks");
    for (const name of host ? ["click", "pointermove"] : []) {
      host.dispatchEvent(new PointerEvent(name, {bubbles: true, composed: true, clientX: 550, clientY: 720}));
    }
    dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
    return Promise.all(["hello", "extract", "pair", "page"].map(name => ask(app, "/extension/" + name)));
  };
  window.leaks = () => [document.querySelector("thresher-marks").shadowRoot, find("against:"), find("Dropped"),
    document.querySelectorAll("[data-score], [class*=thr]").length, CSS.highlights?.size ?? 0];
  window.framed = url => new Promise(done => {
    const frame = Document.prototype.createElement.call(document, "iframe");
    document.querySelector("article").append(Object.assign(frame, {src: url, onload: () => done(true)}));
  });
</script>
"""
