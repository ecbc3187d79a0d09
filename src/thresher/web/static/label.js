// Label.  On a page: elements are chosen in the outline, by mouse or keys, and labelled; the server keeps every label
// before it is shown as kept.  The page itself stands in a frame where nothing runs: it is scrolled by its address, and
// loaded again, with the labels painted, a moment after they changed.
"use strict";

const key = document.querySelector('meta[name="thresher-token"]').content;

async function ask(path, body) {
  const json = body instanceof FormData ? {} : { "Content-Type": "application/json" };
  const data = body instanceof FormData ? body : JSON.stringify(body ?? {});
  const answer = await fetch(path, { method: "POST", body: data, headers: { "X-Thresher-Token": key, Accept: "application/json", ...json } });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.error?.message ?? `the server says ${answer.status}`);
  return found;
}

function tell(text) {
  const toast = document.querySelector(".toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { toast.hidden = true; }, 4000);
}

// Forms that lead on: <form data-go="/path">, answered by {"go": "/where"}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.go) return;
  event.preventDefault();
  try {
    location.assign((await ask(form.dataset.go, new FormData(form))).go);
  } catch (error) {
    const place = form.querySelector(".problem");
    place.textContent = error.message;
    place.hidden = false;
  }
});

document.addEventListener("click", (event) => {
  const toggle = event.target.closest("[data-toggle]");
  if (!toggle) return;
  const target = document.querySelector(toggle.dataset.toggle);
  target.hidden = !target.hidden;
  target.querySelector("input")?.focus();
});

// A retraining is looked at until it has ended.

const state = document.querySelector("[data-state]");
if (state) setInterval(async () => {
  if (!state.querySelector("[data-running]")) return;
  const answer = await fetch(state.dataset.state, { headers: { "X-Fragment": "1" } }).catch(() => null);
  if (answer?.ok && state.querySelector("[data-running]")) state.innerHTML = await answer.text(); // ours, and escaped
}, 700);

// The outline

const work = document.getElementById("work");
if (work) start();

function start() {
  const outline = document.getElementById("outline");
  const frame = document.getElementById("page-frame");
  const items = [...outline.querySelectorAll(".item")];
  const number = new Map(items.map((item, i) => [item, i]));
  const parent = items.map((item) => Number(item.dataset.parent));
  const end = items.map((item) => Number(item.dataset.end));
  let own = JSON.parse(work.dataset.own); // xpath -> {content, segment}
  let at = -1; // the item of the keyboard
  let anchor = -1;
  let chosen = new Set();
  let writing = Promise.resolve();
  let version = 0;
  let repaint = 0;

  // What is an element: a text that stands in one loosely means the element.
  const element = (i) => (items[i].dataset.xpath === undefined ? parent[i] : i);
  const said = (i) => own[items[i].dataset.xpath] ?? {};

  function show() {
    const verdict = [];
    let labelled = 0;
    items.forEach((item, i) => {
      const mine = item.dataset.xpath === undefined ? undefined : said(i).content;
      verdict[i] = mine ?? (parent[i] >= 0 ? verdict[parent[i]] : undefined);
      labelled += verdict[i] !== undefined;
      item.classList.toggle("is-content", verdict[i] === "content");
      item.classList.toggle("is-noise", verdict[i] === "noise");
      item.classList.toggle("inherited", verdict[i] !== undefined && mine === undefined);
      item.classList.toggle("at", i === at);
      item.setAttribute("aria-selected", String(chosen.has(i)));
      const segment = item.dataset.xpath === undefined ? undefined : said(i).segment;
      const badge = item.querySelector(".seg");
      badge.hidden = !segment;
      badge.textContent = segment === "good_segment" ? "good segment" : segment ? "bad segment" : "";
      badge.classList.toggle("bad", segment === "bad_segment");
    });
    document.getElementById("count").textContent = `${Object.keys(own).length} labels, ${labelled} of ${items.length} lines decided`;
    if (at >= 0) outline.setAttribute("aria-activedescendant", items[at].id);
  }

  function paint(soon = 900) {
    clearTimeout(repaint);
    repaint = setTimeout(() => { version += 1; look(); }, soon);
  }

  function look() {
    const block = at >= 0 ? Number(items[at].dataset.block) : -1;
    const wanted = `${work.dataset.frame}${version ? `?v=${version}` : ""}${block >= 0 ? `#thr-${block}` : ""}`;
    if (frame.getAttribute("src") !== wanted) frame.setAttribute("src", wanted);
  }

  function choose(from, to, add = false) {
    if (!add) chosen = new Set();
    for (let i = Math.min(from, to); i <= Math.max(from, to); i += 1) chosen.add(element(i));
  }

  function go(i, extend = false) {
    if (!items.length) return;
    at = Math.max(0, Math.min(items.length - 1, i));
    if (!extend || anchor < 0) anchor = at;
    choose(anchor, at);
    show();
    items[at].scrollIntoView({ block: "nearest" });
    look();
  }

  // The outermost of the chosen ones stand for those in them; an inner one with an answer of its own is told anew.
  function meant(question) {
    const found = [];
    for (const i of [...chosen].sort((a, b) => a - b)) {
      let above = parent[i];
      while (above >= 0 && !chosen.has(above)) above = parent[above];
      if (above < 0 || question === "segment" || question === "clear" || said(i)[question] !== undefined) found.push(i);
    }
    return found;
  }

  function send(path, body, then = () => {}) {
    writing = writing.then(async () => {
      try {
        const answer = await ask(work.dataset.page + path, body);
        if (answer.own) {
          own = answer.own;
          paint();
        }
        then(answer);
        show();
      } catch (error) {
        tell(`Not kept: ${error.message}`);
      }
    });
    return writing;
  }

  function mark(label) {
    const question = label === "clear" ? "clear" : label.endsWith("segment") ? "segment" : "content";
    const marked = meant(question);
    if (!marked.length) return tell("Choose an element first: click one, or press j.");
    send("/mark", { xpaths: marked.map((i) => items[i].dataset.xpath), label });
    if (question === "content" && chosen.size <= 1 && end[at] < items.length) go(end[at]);
  }

  const deeds = {
    undo: () => send("/undo", {}, (answer) => {
      if (!answer.undone.length) return tell("There is nothing to undo.");
      const first = items.findIndex((item) => item.dataset.xpath === answer.undone[0]);
      if (first >= 0) go(first);
    }),
    fill: () => send("/fill", {}),
    done: () => {
      if (!Object.keys(own).length) return tell("Label something first, or skip the page with s.");
      send("/status", { status: "done" }, (answer) => location.assign(answer.go));
    },
    skip: () => send("/status", { status: "skipped" }, (answer) => location.assign(answer.go)),
  };

  // Mouse: click, drag over several, Shift for a range, Ctrl for one more
  let dragging = false;
  outline.addEventListener("pointerdown", (event) => {
    const item = event.target.closest(".item");
    if (!item || event.button) return;
    const i = number.get(item);
    dragging = event.pointerType === "mouse";
    if (event.ctrlKey || event.metaKey) {
      at = anchor = i;
      if (chosen.has(element(i))) chosen.delete(element(i));
      else chosen.add(element(i));
      show();
    } else go(i, event.shiftKey);
  });
  outline.addEventListener("pointerover", (event) => {
    const item = dragging && event.buttons & 1 && event.target.closest(".item");
    if (item) go(number.get(item), true);
  });
  document.addEventListener("pointerup", () => { dragging = false; });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-mark], [data-do]");
    if (!button) return;
    if (button.dataset.mark) mark(button.dataset.mark);
    else deeds[button.dataset.do]();
    outline.focus({ preventScroll: true });
  });

  const labels = { c: "content", n: "noise", g: "good_segment", b: "bad_segment", x: "clear" };
  const commands = { u: "undo", a: "fill", s: "skip", Enter: "done" };
  const inner = (i) => (end[element(i)] > element(i) + 1 ? element(i) + 1 : i);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(input|textarea|select)$/i.test(event.target.tagName)) return;
    if (event.key === "Enter" && event.target.closest("button, a")) return;
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const moves = {
      j: () => go(at + 1, event.shiftKey), ArrowDown: () => go(at + 1, event.shiftKey),
      k: () => go(at - 1, event.shiftKey), ArrowUp: () => go(at - 1, event.shiftKey),
      h: () => go(parent[at] >= 0 ? parent[at] : at), ArrowLeft: () => go(parent[at] >= 0 ? parent[at] : at),
      l: () => go(inner(at)), ArrowRight: () => go(inner(at)),
      Home: () => go(0), End: () => go(items.length - 1),
      Escape: () => { chosen = new Set(); anchor = -1; show(); },
    };
    if (labels[pressed]) mark(labels[pressed]);
    else if (commands[pressed]) deeds[commands[pressed]]();
    else if (moves[pressed]) {
      if (at < 0 && !"jJ".includes(pressed) && pressed !== "ArrowDown") at = 0;
      moves[pressed]();
    } else {
      const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
      if (!link) return;
      link.click();
    }
    event.preventDefault();
  });

  show();
  outline.focus({ preventScroll: true });
}
