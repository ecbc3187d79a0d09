// From a tab to a result: the page is read in the tab, extracted by the server, and marked in the tab.
import { api } from "./api.js";
import { choicesFor } from "./choices.js";
import { ask, ServerError } from "./server.js";

const SPARE_PAGES = 2; // fetched beyond those to compare with: some are copies of the page, which do not count
const FILES = ["content/capture.js", "content/overlay.js"];

// Run one of our functions in a tab, in the world of content scripts, where no script of the page can reach.
export async function inTab(tabId, name, ...args) {
  const target = { tabId };
  try {
    await api.scripting.executeScript({ target, files: FILES });
    const [{ result }] = await api.scripting.executeScript({
      target,
      func: (name, args) => globalThis.thresherPage[name](...args),
      args: [name, args],
    });
    return result;
  } catch (error) {
    throw new ServerError("no_page", `This page cannot be read by add-ons: ${error.message}`);
  }
}

export async function extractTab(tabId, changes = {}) {
  const choices = { ...(await choicesFor(await inTab(tabId, "address"))), ...changes };
  const page = await inTab(tabId, "capture", await readsLayout(choices.method));
  const { source } = await ask("/extension/page", page);
  const siblings = await siblingsFor(tabId, source, choices);
  const answer = await ask("/extension/extract", { source, method: choices.method, focus: choices.focus, ...siblings });
  await show(tabId, answer, choices);
  return keep(`tab-${tabId}`, { tabId, url: page.url, choices, answer });
}

// The same page again with other choices: nothing is read or fetched anew unless it must be.
export async function extractAgain(key, changes) {
  const held = await result(key);
  if (held.tabId !== null && (await inTab(held.tabId, "isMarked").catch(() => false))) {
    return extractTab(held.tabId, changes);
  }
  const choices = { ...held.choices, ...changes };
  const { source } = held.answer;
  const answer = await ask("/extension/extract", {
    source,
    method: choices.method,
    focus: choices.focus,
    ...(choices.siblings ? { gather: choices.siblings } : { siblings: [] }),
  });
  return keep(key, { ...held, choices, answer });
}

export async function correctTab(tabId, changes) {
  const held = await result(`tab-${tabId}`);
  const { labeller } = await api.storage.local.get({ labeller: "reader" });
  const { method, focus } = held.choices;
  const answer = await ask("/extension/correct", { source: held.answer.source, method, focus, changes, labeller });
  await show(tabId, answer, held.choices);
  return keep(`tab-${tabId}`, { ...held, answer });
}

// A page behind a link: on the same site with the reader's login, through the server without it otherwise.
export async function extractLink(tabId, pageUrl, url) {
  const choices = await choicesFor(url);
  const sameSite = new URL(url).origin === new URL(pageUrl).origin;
  let source;
  if (sameSite && choices.session) {
    const [page] = await inTab(tabId, "fetchPages", [url]);
    if (page) ({ source } = await ask("/extension/page", page));
  }
  if (!source) ({ source } = await ask("/extension/fetch", { url }));
  const answer = await ask("/extension/extract", {
    source,
    method: choices.method,
    focus: choices.focus,
    ...(choices.siblings && { gather: choices.siblings }),
  });
  return keep(`link-${crypto.randomUUID()}`, { tabId: null, url, choices, answer });
}

export async function selectionAsMarkdown(tabId) {
  const { html, url } = await inTab(tabId, "selection");
  const { markdown } = await ask("/extension/markdown", { html, url });
  return markdown;
}

// What was extracted last, by `tab-ID` or `link-…`; in the memory of the browser, and gone with it.
export async function result(key) {
  const held = (await api.storage.session.get(key))[key];
  if (!held) throw new ServerError("gone", "This result is no longer in memory; extract the page again.");
  return held;
}

async function keep(key, held) {
  const { marks, ...answer } = held.answer;
  const kept = { ...held, key, answer };
  const old = Object.keys(await api.storage.session.get(null)).filter((name) => name.startsWith("link-"));
  await api.storage.session.remove(old.slice(0, -8));
  await api.storage.session.set({ [key]: kept });
  return kept;
}

async function show(tabId, answer, choices) {
  const { marks, media } = answer;
  await inTab(tabId, "mark", { marks, media, highlights: choices.highlights });
}

async function readsLayout(method) {
  if (method === "auto") return false; // boxes and a few styles are all that it uses
  const { methods } = await ask("/extension/hello");
  return methods.some(({ name, needs }) => name === method.split(":")[0] && needs.includes("layout"));
}

async function siblingsFor(tabId, source, choices) {
  const count = Number(choices.siblings);
  if (!count) return { siblings: [] };
  if (!choices.session) return { gather: count, compared: count };
  const { urls } = await ask("/extension/links", { source, count: count + SPARE_PAGES });
  const pages = await inTab(tabId, "fetchPages", urls);
  return { siblings: pages.map(({ url, html }) => ({ url, html })), compared: count };
}
