// The page as the reader sees it, for the server: the tree after scripts, shadow roots included, with a number on every
// element of the copy (never of the page), and its boxes and computed styles.
//
// A page can name its form fields so that `form.attributes` or `document.body` is a field.  What is asked of nodes goes
// through the getters of their prototypes, which are those of this world, and no page can change them.
"use strict";

(() => {
  if (globalThis.thresherPage) return;

  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const nodeType = getter(Node.prototype, "nodeType");
  const firstChild = getter(Node.prototype, "firstChild");
  const nextSibling = getter(Node.prototype, "nextSibling");
  const textOf = getter(CharacterData.prototype, "data");
  const localName = getter(Element.prototype, "localName");
  const rootElement = getter(Document.prototype, "documentElement");
  const doctype = getter(Document.prototype, "doctype");
  const implementation = getter(Document.prototype, "implementation");
  const { hasFocus } = Document.prototype;
  const { getAttribute, getAttributeNames, getBoundingClientRect, getClientRects } = Element.prototype;

  const ELEMENT = 1, TEXT = 3;
  const MAX_ELEMENTS = 60_000, MAX_CHARACTERS = 24_000_000, MAX_ATTRIBUTE = 100_000;
  const MAX_STYLED = 12_000; // elements; beyond, only the styles that tell the layout
  const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const RAW = new Set("script style xmp iframe noembed noframes plaintext noscript template".split(" "));
  const ESCAPABLE = new Set(["title", "textarea"]);
  const FORMATTED = new Set(["pre", "textarea", "listing"]); // the parser drops a line feed at their start
  const KEEPS_SPACE = new Set(["pre", "textarea", "listing", "xmp", "plaintext"]);
  const TAG = /^[a-zA-Z][^\s/<>"'=&\0]*$/, ATTRIBUTE = /^[^\s/<>"'=\0]+$/;
  const DATA_SCRIPT = /json/i;
  const SIDES = ["top", "right", "bottom", "left"], CORNERS = ["top-left", "top-right", "bottom-right", "bottom-left"];
  // What tells hidden elements and columns; all that rendering captures costs four times as much.
  const LAYOUT = [
    ..."display position float visibility opacity font-size overflow-x overflow-y clip-path".split(" "),
    ...SIDES.map((side) => `padding-${side}`), ...SIDES.map((side) => `border-${side}-width`),
  ];
  const PROPERTIES = [
    ...LAYOUT,
    ..."color background-color clear background-image font-weight font-style font-family line-height text-align text-decoration-line".split(" "),
    ..."text-transform letter-spacing white-space z-index list-style-type".split(" "),
    ...["style", "color"].flatMap((part) => SIDES.map((side) => `border-${side}-${part}`)),
    ...SIDES.map((side) => `margin-${side}`),
    ..."width height max-width min-height flex-direction align-items justify-content".split(" "),
    ..."grid-template-columns box-shadow cursor vertical-align".split(" "),
    ...CORNERS.map((corner) => `border-${corner}-radius`), "transform",
  ];

  const state = { elements: [], texts: [], numbers: new WeakMap(), host: null };

  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\u00a0", "&nbsp;");
  const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

  function shadowRoot(element) {
    try {
      const opened = globalThis.chrome?.dom?.openOrClosedShadowRoot;
      return opened ? opened(element) : element.openOrClosedShadowRoot;
    } catch {
      return null; // not an element that can have one
    }
  }

  function* children(node) {
    for (let child = firstChild(node); child; child = nextSibling(child)) yield child;
  }

  // What a reader sees below an element: of a host its shadow root, of a slot what is put there.
  function* shown(element, name) {
    if (name === "slot") {
      const assigned = HTMLSlotElement.prototype.assignedNodes.call(element);
      if (assigned.length) return yield* assigned;
    }
    yield* children(shadowRoot(element) ?? element);
  }

  const isSecret = (name, element) =>
    name === "input" && /^(password|hidden)$/i.test(getAttribute.call(element, "type") ?? "");

  function opening(element, name, number, mark) {
    let tag = `<${name} ${mark}="${number}"`;
    const secret = isSecret(name, element);
    for (const attribute of getAttributeNames.call(element)) {
      if (!ATTRIBUTE.test(attribute) || attribute === mark || attribute === "nonce" || (secret && attribute === "value")) continue;
      const value = getAttribute.call(element, attribute) ?? "";
      if (value.length <= MAX_ATTRIBUTE) tag += ` ${attribute}="${quoted(value)}"`;
    }
    return tag + (FORMATTED.has(name) ? ">\n" : ">");
  }

  function rawText(element, name) {
    if (name === "script" && !DATA_SCRIPT.test(getAttribute.call(element, "type") ?? "")) return "";
    if (name !== "script" && name !== "style" && name !== "xmp") return "";
    let text = "";
    for (const child of children(element)) if (nodeType(child) === TEXT) text += textOf(child);
    if (name === "script") return text.replace(/<(?=\/script|!--)/gi, "\\u003c");
    return text.replaceAll(new RegExp(`</(?=${name})`, "gi"), "<\\/");
  }

  // Writes the tree; a stack instead of recursion, for pages can be as deep as they like.
  function serialise(mark) {
    const out = doctype(document) ? ["<!DOCTYPE html>"] : [];
    let size = 0, cut = false;
    const write = (text) => { out.push(text); size += text.length; };
    const stack = [];
    const enter = (element) => {
      const name = TAG.test(localName(element)) ? localName(element).toLowerCase() : "x-unnamed";
      const number = state.elements.push(element) - 1;
      state.texts.push([]);
      state.numbers.set(element, number);
      write(opening(element, name, number, mark));
      if (VOID.has(name)) return;
      if (RAW.has(name)) return write(`${rawText(element, name)}</${name}>`);
      const spaced = KEEPS_SPACE.has(name) || (stack.at(-1)?.spaced ?? false);
      stack.push({ name, number, spaced, nodes: shown(element, name), group: null });
    };
    enter(rootElement(document));
    while (stack.length) {
      const frame = stack.at(-1);
      const { value: node, done } = cut ? { done: true } : frame.nodes.next();
      if (done) {
        closeGroup(frame);
        write(`</${frame.name}>`);
        stack.pop();
      } else if (nodeType(node) === TEXT) {
        (frame.group ??= []).push(node);
        write(escaped(textOf(node)));
      } else if (nodeType(node) === ELEMENT && node !== state.host && !ESCAPABLE.has(frame.name)) {
        closeGroup(frame);
        enter(node);
      }
      cut ||= state.elements.length >= MAX_ELEMENTS || size > MAX_CHARACTERS;
    }
    return { html: out.join(""), cut };
  }

  // Texts that stand together are one text for the parser; white space alone is none, but in `pre`.
  function closeGroup(frame) {
    if (frame.group && (frame.spaced || frame.group.some((text) => /[^ \t\n\r\f\u00a0]/.test(textOf(text))))) {
      state.texts[frame.number].push(frame.group);
    }
    frame.group = null;
  }

  function boxes() {
    const { scrollX, scrollY } = globalThis;
    const round = (value) => Math.round(value * 100) / 100;
    return state.elements.map((element) => {
      if (!getClientRects.call(element).length) return null;
      const { x, y, width, height } = getBoundingClientRect.call(element);
      return [x + scrollX, y + scrollY, width, height].map(round);
    });
  }

  function styles(box, detailed) {
    const names = detailed && state.elements.length <= MAX_STYLED ? PROPERTIES : LAYOUT;
    const columns = names.map((name) => ({ name, known: new Map(), codes: [] }));
    state.elements.forEach((element, number) => {
      const computed = getComputedStyle(element);
      const laidOut = box[number] !== null || computed.getPropertyValue("display") === "contents";
      for (const { name, known, codes } of columns) {
        if (!laidOut) { codes.push(-1); continue; }
        const value = computed.getPropertyValue(name);
        if (!known.has(value)) known.set(value, known.size);
        codes.push(known.get(value));
      }
    });
    return Object.fromEntries(columns.map(({ name, known, codes }) => [name, { values: [...known.keys()], codes }]));
  }

  function capture(detailed = false) {
    state.elements = [];
    state.texts = [];
    state.numbers = new WeakMap();
    const mark = `t${[...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    const { html, cut } = serialise(mark);
    const box = boxes();
    return { url: location.href, html, mark, cut, viewport: [innerWidth, innerHeight], box, style: styles(box, detailed) };
  }

  // Other pages of this site, with the reader's login: the request is the page's own, the answer goes to the server
  // as text.  Cookies stay in the browser.
  async function fetchPages(urls) {
    const own = urls.map((url) => new URL(url, location.href)).filter(({ origin }) => origin === location.origin);
    const pages = await Promise.all(own.map((url) => fetchPage(url.href).catch(() => null)));
    return pages.filter(Boolean);
  }

  async function fetchPage(url) {
    const response = await fetch(url, { credentials: "same-origin", headers: { Accept: "text/html,application/xhtml+xml" } });
    const type = response.headers.get("Content-Type") ?? "";
    if (!response.ok || !/html/i.test(type)) return null;
    const bytes = await response.arrayBuffer();
    const head = new TextDecoder("latin1").decode(bytes.slice(0, 2048));
    const charset = (/charset=["']?([\w-]+)/i.exec(type) ?? /<meta[^>]*charset=["']?([\w-]+)/i.exec(head))?.[1] ?? "utf-8";
    let decoder;
    try { decoder = new TextDecoder(charset); } catch { decoder = new TextDecoder("utf-8"); }
    return { url, html: decoder.decode(bytes) };
  }

  function selection() {
    const chosen = getSelection();
    const holder = implementation(document).createHTMLDocument("").createElement("div"); // nothing runs or loads in there
    for (let at = 0; at < (chosen?.rangeCount ?? 0); at++) holder.append(chosen.getRangeAt(at).cloneContents());
    return { html: holder.innerHTML, url: location.href };
  }

  async function copy(text) {
    if (!isSecureContext || !hasFocus.call(document)) return false;
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }

  globalThis.thresherPage = { state, address: () => location.href, capture, fetchPages, selection, copy };
})();
