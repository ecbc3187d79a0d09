// What the pages need beyond HTML, by attributes:
//
//   <form data-post="/try" data-target="#result">    sent without leaving the page; the answer is put into the target
//     data-auto                                       … and sent again when a control changes, once there is a `source`
//     data-now                                        … and sent when the page is there
//   <input data-once>                                 sent only with the form's own button, not with such changes
//   <div role="tablist" id=…>, role="tab" aria-controls=…   tabs, with arrow keys; a choice outlives new answers
//   <details data-folds>                              closed when its form is sent by its button
//   <span data-ticked="name">                         the values of the boxes of that name that are ticked
//   <fieldset data-opens="id">                        a click in it opens the tab that controls that element
//   <button data-copy="#id">                          copies the text of an element
//   <button data-fill="#id" data-value="…">           puts a value into a control, as if it were typed
//   <section data-poll="/state">                      asked for again and again until the answer is no such section;
//     <… data-live>                                   what changes in it meanwhile
//   <input data-set="#id" data-value="…">             puts a value into a control without sending it
//   <form data-drop="name">                           a file dropped anywhere goes to that control, and is sent
//   <div class="scroll">                              has .more-left, .more-right where there is more of it
//   <button data-theme-switch>                        light or dark
//
// After an answer is in place the target hears "thresher:swapped".  Keys: / the first field, Ctrl+Enter sends its form.
"use strict";

const token = document.querySelector('meta[name="thresher-token"]').content;
const running = new WeakMap(); // target -> AbortController of the request it waits for
const chosenTabs = new Map(); // id of a tablist -> what its tab controls

function say(text) {
  const toast = document.querySelector(".toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { toast.hidden = true; }, 4000);
}

async function post(path, body, signal) {
  return fetch(path, { method: "POST", body, signal, headers: { "X-Thresher-Token": token, "X-Fragment": "1" } });
}

function sent(form, submitter) {
  const data = new FormData(form);
  if (submitter?.name) data.set(submitter.name, submitter.value);
  else for (const control of form.querySelectorAll("[data-once]")) data.delete(control.name);
  return data;
}

async function submit(form, submitter) {
  const target = document.querySelector(form.dataset.target);
  running.get(target)?.abort();
  const mine = new AbortController();
  running.set(target, mine);
  target.setAttribute("aria-busy", "true");
  form.classList.add("working");
  try {
    const answer = await post(form.dataset.post, sent(form, submitter), mine.signal);
    const text = await answer.text();
    if (answer.status === 429) say("The server is busy; try again in a moment.");
    swap(target, text);
    if (submitter && target.getBoundingClientRect().top > innerHeight / 2) target.scrollIntoView(); // on a phone
  } catch (error) {
    if (error.name === "AbortError") return;
    say("The server does not answer. Is it still running?");
  } finally {
    if (running.get(target) === mine) {
      running.delete(target);
      target.removeAttribute("aria-busy");
      form.classList.remove("working");
    }
  }
}

function swap(target, html) {
  const held = document.activeElement?.id;
  target.innerHTML = html; // from our own server, which escapes; scripts in it would not run
  for (const list of target.querySelectorAll('[role="tablist"]')) restore(list);
  watchTables(target);
  for (const set of target.querySelectorAll("[data-set]")) {
    const control = document.querySelector(set.dataset.set);
    if (control && [...(control.options ?? [])].some((option) => option.value === set.dataset.value)) control.value = set.dataset.value;
  }
  document.getElementById("said").textContent = target.querySelector("h1, h2, [role=alert]")?.textContent ?? "Done.";
  if (held && !document.activeElement?.id) document.getElementById(held)?.focus({ preventScroll: true });
  target.dispatchEvent(new CustomEvent("thresher:swapped", { bubbles: true }));
}

// What goes on: asked for until it is over.

setInterval(async () => {
  const shown = document.querySelector("[data-poll]");
  const target = shown?.parentElement;
  if (!shown || running.has(target) || poll.busy) return;
  poll.busy = true;
  const answer = await fetch(shown.dataset.poll, { headers: { "X-Fragment": "1" } }).catch(() => null);
  const text = answer && await answer.text();
  poll.busy = false;
  if (text === null || !shown.isConnected || running.has(target)) return;
  const piece = document.createElement("template");
  piece.innerHTML = text; // from our own server, which escapes
  const fresh = piece.content.querySelectorAll("[data-poll] [data-live]");
  if (!fresh.length) return swap(target, text);
  shown.querySelectorAll("[data-live]").forEach((one, place) => { one.innerHTML = fresh[place].innerHTML; });
}, 800);
const poll = { busy: false };

// Tabs

function select(tab) {
  const list = tab.closest('[role="tablist"]');
  for (const other of list.querySelectorAll('[role="tab"]')) {
    const is = other === tab;
    other.setAttribute("aria-selected", String(is));
    other.tabIndex = is ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !is;
  }
  chosenTabs.set(list.id, tab.getAttribute("aria-controls"));
}

function restore(list) {
  const wanted = chosenTabs.get(list.id);
  const tab = wanted && list.querySelector(`[aria-controls="${CSS.escape(wanted)}"]`);
  if (tab) select(tab);
}

function turn(event, tab) {
  const tabs = [...tab.closest('[role="tablist"]').querySelectorAll('[role="tab"]')];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = { Home: tabs[0], End: tabs.at(-1) }[event.key]
    ?? (step && tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]);
  if (!next) return;
  event.preventDefault();
  select(next);
  next.focus();
}

function showTicked(shown) {
  const ticked = document.querySelectorAll(`input[name="${CSS.escape(shown.dataset.ticked)}"]:checked`);
  shown.textContent = [...ticked].map((one) => one.value).join(", ");
}

// Tables that are wider than their place

function cue(box) {
  const hidden = box.scrollWidth - box.clientWidth;
  box.classList.toggle("more-left", box.scrollLeft > 1);
  box.classList.toggle("more-right", box.scrollLeft < hidden - 1);
  if (hidden > 1) box.tabIndex = 0; // for the arrow keys
}

const sizes = new ResizeObserver((changes) => { for (const change of changes) cue(change.target); });

function watchTables(where) {
  for (const box of where.querySelectorAll(".scroll")) sizes.observe(box);
}

// What happens where

document.addEventListener("scroll", (event) => { if (event.target.matches?.(".scroll")) cue(event.target); }, true);

document.addEventListener("submit", (event) => {
  if (!event.target.dataset.post) return;
  event.preventDefault();
  for (const folds of event.target.querySelectorAll("[data-folds]")) folds.open = false;
  submit(event.target, event.submitter);
});

document.addEventListener("change", (event) => {
  const control = event.target;
  for (const shown of document.querySelectorAll(`[data-ticked="${CSS.escape(control.name)}"]`)) showTicked(shown);
  const form = control.form;
  if (!form || !("auto" in form.dataset) || "once" in control.dataset) return;
  if (form.elements.source?.value) submit(form, null);
});

document.addEventListener("click", async (event) => {
  const tab = event.target.closest('[role="tab"]');
  if (tab) select(tab);
  const opens = event.target.closest("[data-opens]")?.dataset.opens;
  const opened = opens && document.querySelector(`[role="tab"][aria-controls="${CSS.escape(opens)}"]`);
  if (opened) select(opened);
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const text = document.querySelector(copy.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
    } catch {
      say("The browser does not allow copying here.");
    }
  }
  const fill = event.target.closest("[data-fill]");
  if (fill) {
    const control = document.querySelector(fill.dataset.fill);
    control.value = fill.dataset.value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (event.target.closest("[data-theme-switch]")) {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("thresher-theme", root.dataset.theme);
  }
});

document.addEventListener("keydown", (event) => {
  const typing = /^(input|textarea|select)$/i.test(event.target.tagName);
  const tab = event.target.closest?.('[role="tab"]');
  if (tab) turn(event, tab);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    document.querySelector("[data-first]")?.focus();
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form?.dataset.post) {
    event.target.form.requestSubmit(event.target.form.querySelector('button[type="submit"]'));
  }
});

for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    const form = document.querySelector("form[data-drop]");
    if (!form || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    form.classList.toggle("dropping", name === "dragover");
    if (name !== "drop" || !event.dataTransfer.files.length) return;
    const control = form.elements[form.dataset.drop];
    control.files = event.dataTransfer.files;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    form.requestSubmit(form.querySelector('button[type="submit"]'));
  });
}

// A file that was chosen, or text that was pasted, says which of the inputs is meant.
document.addEventListener("input", (event) => {
  const kind = event.target.dataset?.kind;
  const choice = kind && document.querySelector(`input[name="kind"][value="${kind}"]`);
  if (choice) choice.checked = true;
});

for (const list of document.querySelectorAll('[role="tablist"]')) restore(list);
watchTables(document);
for (const shown of document.querySelectorAll("[data-ticked]")) showTicked(shown); // a browser may restore boxes
for (const form of document.querySelectorAll("form[data-now]")) submit(form, null);
