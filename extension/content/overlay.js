// The marks over a page: what is kept is lit, the rest is dimmed, and whoever points at a block reads why.
//
// Everything is drawn in a closed shadow root of one element, over the page and never in it.  Scores and reasons are painted
// into a canvas: the page cannot select, find or read them.  Events count only when they are the reader's own.
"use strict";

(() => {
  const page = globalThis.thresherPage;
  if (page.mark) return;
  const { state } = page;

  const INK = "#211f1b", PAPER = "#fffdf7", GRAIN = "#a4650a", VEIL = "rgba(24, 22, 18, .56)", LIGHT = "rgba(255, 200, 61, .26)";
  const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif";
  const MONO = "ui-monospace, 'DejaVu Sans Mono', monospace";
  const DARK_PAGE = { veil: "rgba(0, 0, 0, .66)", light: "rgba(255, 196, 70, .15)", blend: "screen" };
  const LIGHT_PAGE = { veil: VEIL, light: LIGHT, blend: "multiply" };
  const PAD_X = 10, PAD_Y = 6, JOIN = 44; // pixels around a block, and between two kept blocks that are lit as one
  const TIP_WIDTH = 340, LINE = 19;
  const rootElement = Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get.bind(document);
  const create = Document.prototype.createElement.bind(document);
  const createNS = (name) => Document.prototype.createElementNS.call(document, "http://www.w3.org/2000/svg", name);
  const createRange = Document.prototype.createRange.bind(document);

  let marks = null; // null: nothing is marked
  let media = [];
  let highlights = "both";
  let correcting = false;
  let changes = new Map(); // element -> keep, as the reader wants it
  let pointed = null; // { mark, element }
  let layers = null;
  let size = "";

  // --- Where blocks are ---

  function rectangle(mark) {
    let box = null;
    for (const range of mark.ranges) {
      for (const { left, top, right, bottom, width, height } of range.getClientRects()) {
        if (width < 1 || height < 1) continue;
        box = box ? [Math.min(box[0], left), Math.min(box[1], top), Math.max(box[2], right), Math.max(box[3], bottom)] : [left, top, right, bottom];
      }
    }
    return box;
  }

  function rangesOf(texts) {
    const ranges = [];
    for (const [number, place, count] of texts) {
      const element = state.elements[number], groups = state.texts[number];
      if (!element?.isConnected) continue;
      const range = createRange();
      try {
        if (groups.length === count) {
          range.setStartBefore(groups[place][0]);
          range.setEndAfter(groups[place].at(-1));
        } else range.selectNodeContents(element); // the parser counts other texts than we do
        ranges.push(range);
      } catch { /* the page took the text away meanwhile */ }
    }
    return ranges;
  }

  // The innermost element around all texts of a block.
  function elementOf({ texts }) {
    const above = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
    const chain = (number) => {
      const line = [];
      for (let node = state.elements[number]; node; node = above(node)) line.push(node);
      return line;
    };
    let common = chain(texts[0][0]);
    for (const [number] of texts.slice(1)) {
      const line = new Set(chain(number));
      common = common.filter((node) => line.has(node));
    }
    return common.find((node) => state.numbers.has(node)) ?? null;
  }

  const parentOf = (element) => {
    let node = element.parentElement ?? element.getRootNode().host;
    while (node && !state.numbers.has(node)) node = node.parentElement ?? node.getRootNode().host;
    return node && !/^(html|body)$/.test(node.localName) ? node : null;
  };

  // Whether a block is kept, with what the reader has changed: the nearest changed element around it decides.
  function isKept(mark) {
    for (let node = mark.element; node; node = node.parentElement ?? node.getRootNode().host) {
      if (changes.has(node)) return changes.get(node);
    }
    return mark.kept;
  }

  // --- Drawing ---

  const styled = (element, style) => { element.style.cssText = style; return element; };

  function open() {
    if (layers?.host.isConnected) return;
    const host = create("thresher-marks");
    host.style.cssText = "all: initial !important; position: absolute !important; inset: 0 auto auto 0 !important; width: 0 !important; height: 0 !important; z-index: 2147483647 !important; pointer-events: none !important";
    const root = Element.prototype.attachShadow.call(host, { mode: "closed" });
    const svg = styled(createNS("svg"), "position: absolute; inset: 0 auto auto 0; overflow: visible; pointer-events: none");
    const veil = createNS("path"), light = createNS("path"), changed = createNS("g"), outline = createNS("rect");
    const look = isDark() ? DARK_PAGE : LIGHT_PAGE;
    veil.setAttribute("fill", look.veil);
    light.setAttribute("fill", look.light);
    light.style.mixBlendMode = look.blend;
    for (const [name, value] of Object.entries({ fill: "none", stroke: GRAIN, "stroke-width": "2.5", rx: "5" })) outline.setAttribute(name, value);
    svg.append(veil, light, changed, outline);
    const shield = styled(create("div"), "position: fixed; inset: 0; pointer-events: auto; cursor: crosshair; display: none");
    const tip = styled(create("canvas"), "position: fixed; left: 0; top: 0; display: none; pointer-events: none; border-radius: 10px; box-shadow: 0 2px 6px #0004, 0 10px 30px #0004");
    const bar = styled(create("div"), `position: fixed; left: 50%; bottom: 22px; transform: translateX(-50%); display: flex; align-items: center; gap: 4px; padding: 6px; border-radius: 14px; background: ${PAPER}; color: ${INK}; font: 500 14px/1.2 ${FONT}; box-shadow: 0 0 0 1px #0001, 0 2px 6px #0003, 0 12px 36px #0005; pointer-events: auto; user-select: none; -webkit-user-select: none; white-space: nowrap`);
    root.append(svg, shield, tip, bar);
    for (const target of [bar, shield]) {
      for (const name of ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "contextmenu"]) {
        target.addEventListener(name, (event) => event.stopPropagation());
      }
    }
    shield.addEventListener("click", (event) => {
      if (!event.isTrusted) return;
      change();
      if (pointed) paintTip(pointed.mark, event.clientX, event.clientY);
    });
    layers = { host, svg, veil, light, changed, outline, shield, tip, bar };
    state.host = host;
    rootElement().append(host);
    fillBar();
  }

  // Whether the page has light text on a dark ground.
  function isDark() {
    const body = Object.getOwnPropertyDescriptor(Document.prototype, "body").get.call(document);
    for (const element of [body, rootElement()]) {
      const [red, green, blue, alpha = 1] = (element && getComputedStyle(element).backgroundColor.match(/[\d.]+/g)?.map(Number)) || [255, 255, 255, 0];
      if (alpha > 0.5) return 0.3 * red + 0.59 * green + 0.11 * blue < 110;
    }
    return false;
  }

  function button(label, act, primary = false) {
    const one = styled(create("button"), `all: initial; cursor: pointer; padding: 9px 14px; border-radius: 9px; font: 600 14px/1.2 ${FONT}; color: ${primary ? "#fff" : INK}; background: ${primary ? GRAIN : "transparent"}`);
    one.textContent = label;
    one.addEventListener("pointerenter", () => { one.style.background = primary ? "#8a5407" : "#f0eadb"; });
    one.addEventListener("pointerleave", () => { one.style.background = primary ? GRAIN : "transparent"; });
    one.addEventListener("focus", () => { one.style.outline = "2.5px solid #1d5f8a"; });
    one.addEventListener("blur", () => { one.style.outline = "none"; });
    one.addEventListener("click", (event) => { if (event.isTrusted) act(); });
    return one;
  }

  function words(text) {
    const one = styled(create("span"), "padding: 0 10px; color: #655f53; font-weight: 500");
    one.textContent = text;
    return one;
  }

  function fillBar(message = "") {
    const { bar } = layers;
    if (correcting) {
      bar.replaceChildren(words("Click what is wrong: it changes sides. ↑ ↓ choose more or less."), button("Save", save, true), button("Cancel", cancel));
    } else {
      bar.replaceChildren(...(message ? [words(message)] : []), button("Reading view", () => send({ action: "read" }), true), button("This is wrong", correct), button("Clear", clear));
    }
  }

  // A region as horizontal bands: [top, bottom, [[left, right], …]]; overlaps count once.
  function bands(boxes) {
    const edges = [...new Set(boxes.flatMap(([, top, , bottom]) => [top, bottom]))].sort((a, b) => a - b);
    const out = [];
    for (let at = 0; at + 1 < edges.length; at++) {
      const [top, bottom] = [edges[at], edges[at + 1]];
      const spans = boxes.filter((box) => box[1] <= top && box[3] >= bottom).map((box) => [box[0], box[2]]).sort((a, b) => a[0] - b[0]);
      const merged = [];
      for (const [left, right] of spans) {
        if (merged.length && left <= merged.at(-1)[1]) merged.at(-1)[1] = Math.max(merged.at(-1)[1], right);
        else merged.push([left, right]);
      }
      if (merged.length) out.push([top, bottom, merged]);
    }
    return out;
  }

  const cell = (left, top, right, bottom) => `M${left} ${top}H${right}V${bottom}H${left}Z`;

  function draw() {
    if (!marks) return;
    open();
    const root = rootElement(), { svg, veil, light } = layers;
    svg.setAttribute("width", 0); // else it would hold a page open that became shorter
    svg.setAttribute("height", 0);
    const origin = svg.getBoundingClientRect();
    const width = Math.max(root.scrollWidth, root.clientWidth), height = Math.max(root.scrollHeight, root.clientHeight);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    const moved = ([left, top, right, bottom]) => [left - origin.left, top - origin.top, right - origin.left, bottom - origin.top];
    const padded = ([left, top, right, bottom]) => [Math.max(left - PAD_X, 0), Math.max(top - PAD_Y, 0), Math.min(right + PAD_X, width), Math.min(bottom + PAD_Y, height)];
    const kept = [], dropped = [];
    for (const mark of marks) {
      const box = rectangle(mark);
      mark.box = box && moved(box);
      if (mark.box) isKept(mark) ? kept.push(padded(mark.box)) : dropped.push(mark.box);
    }
    for (const number of media) {
      const { left, top, right, bottom } = state.elements[number]?.getBoundingClientRect() ?? {};
      if (right - left > 1 && bottom - top > 1) kept.push(padded(moved([left, top, right, bottom])));
    }
    const region = bands(joined(kept, dropped));
    veil.setAttribute("d", highlights === "content" ? "" : around(region, width, height));
    light.setAttribute("d", highlights === "rest" ? "" : region.map(([top, bottom, spans]) => spans.map(([left, right]) => cell(left, top, right, bottom)).join("")).join(""));
    drawChanges();
    size = `${width} ${height}`;
    point(pointed);
  }

  const union = (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
  const shared = (a, b) => Math.min(a[2], b[2]) - Math.max(a[0], b[0]); // width that two boxes have in common
  const holdsMiddle = (box, [left, top, right, bottom]) => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return x > box[0] && x < box[2] && y > box[1] && y < box[3];
  };

  // Kept blocks that stand above each other with a small gap are one region with one width, unless something dropped
  // stands there.
  function joined(boxes, dropped) {
    const out = [];
    for (const box of [...boxes].sort((a, b) => a[1] - b[1])) {
      const at = out.findLastIndex((one) => box[1] - one[3] < JOIN && shared(box, one) > 0.5 * Math.min(box[2] - box[0], one[2] - one[0]) && !dropped.some((other) => holdsMiddle(union(one, box), other)));
      if (at >= 0) out[at] = union(out[at], box);
      else out.push(box);
    }
    return out;
  }

  // What the reader has changed: green for what is kept now, red for what is dropped.
  function drawChanges() {
    const { changed } = layers;
    changed.replaceChildren(...[...changes].flatMap(([element, keep]) => {
      const boxes = marks.filter((mark) => mark.box && inside(mark, element)).map(({ box }) => box);
      if (!boxes.length) return [];
      const [left, top, right, bottom] = boxes.reduce(union);
      const frame = createNS("rect");
      const look = { x: left - 5, y: top - 4, width: right - left + 10, height: bottom - top + 8, rx: 5, stroke: keep ? "#2f9e53" : "#e0484d", fill: keep ? "#2f9e5318" : "#e0484d30", "stroke-width": 2.5, "stroke-dasharray": "7 4" };
      for (const [name, value] of Object.entries(look)) frame.setAttribute(name, value);
      return [frame];
    }));
  }

  function around(region, width, height) {
    let path = "", y = 0;
    for (const [top, bottom, spans] of region) {
      if (top > y) path += cell(0, y, width, top);
      let x = 0;
      for (const [left, right] of spans) {
        if (left > x) path += cell(x, top, left, bottom);
        x = Math.max(x, right);
      }
      if (x < width) path += cell(x, top, width, bottom);
      y = bottom;
    }
    return y < height ? path + cell(0, y, width, height) : path;
  }

  // --- Pointing ---

  function markAt(x, y) {
    const origin = layers.svg.getBoundingClientRect();
    const [left, top] = [x - origin.left, y - origin.top];
    const area = ({ box }) => (box[2] - box[0]) * (box[3] - box[1]);
    return marks.filter(({ box }) => box && left >= box[0] - 4 && left <= box[2] + 4 && top >= box[1] - 3 && top <= box[3] + 3).sort((a, b) => area(a) - area(b))[0] ?? null;
  }

  const inside = (mark, element) => {
    for (let node = mark.element; node; node = node.parentElement ?? node.getRootNode().host) if (node === element) return true;
    return false;
  };

  function point(target) {
    pointed = target;
    const { outline, tip } = layers;
    const boxes = target ? marks.filter((mark) => mark.box && (mark === target.mark || (correcting && inside(mark, target.element)))).map(({ box }) => box) : [];
    if (!boxes.length) {
      outline.setAttribute("width", 0);
      outline.style.display = tip.style.display = "none";
      return;
    }
    const [left, top] = [Math.min(...boxes.map((box) => box[0])) - 5, Math.min(...boxes.map((box) => box[1])) - 4];
    const [right, bottom] = [Math.max(...boxes.map((box) => box[2])) + 5, Math.max(...boxes.map((box) => box[3])) + 4];
    for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top })) outline.setAttribute(name, value);
    outline.style.display = "";
  }

  function wrapped(context, text, width) {
    const lines = [];
    let line = "";
    for (const word of text.split(/\s+/)) {
      const longer = line ? `${line} ${word}` : word;
      if (line && context.measureText(longer).width > width) { lines.push(line); line = word; } else line = longer;
    }
    return [...lines, line];
  }

  function paintTip(mark, x, y) {
    const { tip } = layers;
    const context = tip.getContext("2d"), scale = devicePixelRatio || 1;
    const kept = isKept(mark);
    context.font = `13px ${FONT}`;
    const lines = mark.reasons.flatMap((reason) => wrapped(context, reason, TIP_WIDTH - 44).map((line, at) => ({ line, first: at === 0 })));
    const height = 48 + Math.max(lines.length, 1) * LINE;
    tip.width = TIP_WIDTH * scale;
    tip.height = height * scale;
    context.scale(scale, scale);
    context.fillStyle = PAPER;
    context.fillRect(0, 0, TIP_WIDTH, height);
    context.fillStyle = kept ? "#256b3a" : "#a3262a";
    context.font = `600 14px ${FONT}`;
    context.fillText(kept ? "Kept" : "Dropped", 16, 27);
    context.fillStyle = "#eee7d6";
    context.fillRect(96, 17, 170, 9);
    context.fillStyle = GRAIN;
    context.fillRect(96, 17, 170 * Math.min(Math.max(mark.score, 0), 1), 9);
    context.fillStyle = INK;
    context.font = `13px ${MONO}`;
    context.fillText(mark.score.toFixed(2), 278, 27);
    context.font = `13px ${FONT}`;
    lines.forEach(({ line, first }, at) => {
      context.fillStyle = GRAIN;
      if (first) context.fillText("•", 16, 54 + at * LINE);
      context.fillStyle = "#4a453b";
      context.fillText(line, 28, 54 + at * LINE);
    });
    tip.style.cssText += `; width: ${TIP_WIDTH}px; height: ${height}px; display: block; left: ${Math.max(Math.min(x + 16, rootElement().clientWidth - TIP_WIDTH - 12), 8)}px; top: ${y + 24 + height > innerHeight ? Math.max(y - height - 16, 8) : y + 24}px`;
  }

  function onPointer(event) {
    if (!marks || !event.isTrusted || !layers) return;
    const mark = markAt(event.clientX, event.clientY);
    if (mark !== pointed?.mark) point(mark && { mark, element: mark.element });
    if (mark) paintTip(mark, event.clientX, event.clientY);
  }

  function onKey(event) {
    if (!marks || !event.isTrusted) return;
    if (event.key === "Escape") {
      if (correcting) cancel(); else clear();
    } else if (correcting && event.key === "Enter") {
      save();
    } else if (correcting && pointed && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const wider = event.key === "ArrowUp" ? parentOf(pointed.element) : narrower(pointed);
      if (wider) point({ mark: pointed.mark, element: wider });
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function narrower({ mark, element }) {
    let node = mark.element;
    while (node && node !== element && parentOf(node) !== element) node = parentOf(node);
    return node === element ? null : node;
  }

  // --- Corrections ---

  function correct() {
    correcting = true;
    changes = new Map();
    layers.shield.style.display = "block";
    fillBar();
    draw();
  }

  function change() {
    if (!pointed?.element) return;
    const keep = !isKept(pointed.mark);
    for (const element of [...changes.keys()]) {
      if (pointed.element.contains(element)) changes.delete(element);
    }
    changes.set(pointed.element, keep);
    draw();
  }

  function cancel() {
    correcting = false;
    changes = new Map();
    layers.shield.style.display = "none";
    fillBar();
    draw();
  }

  async function save() {
    const pairs = [...changes].map(([element, keep]) => [state.numbers.get(element), keep]);
    if (!pairs.length) return cancel();
    layers.bar.replaceChildren(words("Saving …"));
    const answer = await send({ action: "correct", changes: pairs });
    if (answer?.error) {
      layers.bar.replaceChildren(words(answer.error.message), button("Try again", save, true), button("Cancel", cancel));
      return;
    }
    cancel();
    fillBar("Saved: it holds for the next page of this site, too.");
  }

  async function send(message) {
    const runtime = (globalThis.browser ?? globalThis.chrome).runtime;
    return runtime.sendMessage(message).catch((error) => ({ error: { message: error.message } }));
  }

  // --- What the extension calls ---

  page.mark = ({ marks: given, media: pictures, highlights: chosen }) => {
    marks = given.map((mark) => ({ ...mark, ranges: rangesOf(mark.texts), element: elementOf(mark) }));
    media = pictures;
    highlights = chosen;
    changes = new Map();
    draw();
    fillBar();
  };
  page.isMarked = () => marks !== null;
  // What is shown, for whoever looks into it: each block with its verdict and where it stands in the window.
  page.shown = () => marks?.map((mark) => ({ kept: isKept(mark), score: mark.score, reasons: mark.reasons, box: rectangle(mark), text: mark.ranges.join(" ") })) ?? null;
  page.setHighlights = (chosen) => { highlights = chosen; draw(); };
  page.correct = () => { if (marks) correct(); };
  page.clear = clear;

  function clear() {
    marks = null;
    correcting = false;
    pointed = null;
    layers?.host.remove();
    layers = state.host = null;
  }

  let waiting = false;
  const later = () => {
    if (!marks || waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
  addEventListener("pointermove", onPointer, { capture: true, passive: true });
  addEventListener("keydown", onKey, { capture: true });
  addEventListener("resize", later);
  // Scrolling the page moves the marks with it; scrolling a part of it does not.
  addEventListener("scroll", (event) => { if (event.target !== document) later(); }, { capture: true, passive: true });
  setInterval(() => {
    const root = rootElement();
    if (marks && size !== `${Math.max(root.scrollWidth, root.clientWidth)} ${Math.max(root.scrollHeight, root.clientHeight)}`) later();
  }, 700);
})();
