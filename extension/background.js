// The background of the extension: the keyboard shortcut, the context menu, and what the marks in a page ask for.
import { api } from "./lib/api.js";
import { correctTab, extractAgain, extractLink, extractTab, inTab, selectionAsMarkdown } from "./lib/extract.js";

const SELECTION = "selection", LINK = "link";

api.runtime.onInstalled.addListener(() => {
  api.contextMenus.removeAll(() => {
    api.contextMenus.create({ id: SELECTION, title: "Copy selection as Markdown", contexts: ["selection"] });
    api.contextMenus.create({ id: LINK, title: "Extract this link", contexts: ["link"] });
  });
});

api.commands.onCommand.addListener(async (command, tab) => {
  if (command !== "extract") return;
  const target = tab ?? (await api.tabs.query({ active: true, currentWindow: true }))[0];
  await toggle(target.id).catch(report);
});

api.contextMenus.onClicked.addListener(async (info, tab) => {
  try {
    if (info.menuItemId === SELECTION) await copySelection(tab.id);
    if (info.menuItemId === LINK) await openReader((await extractLink(tab.id, tab.url ?? info.pageUrl, info.linkUrl)).key);
  } catch (error) {
    await report(error);
  }
});

// Our own pages may ask for everything, the script in a page only for what its own bar offers about its own tab.
const OF_PAGES = {
  extract: ({ tabId, changes }) => extractTab(tabId, changes),
  again: ({ key, changes }) => extractAgain(key, changes),
  read: ({ key }) => openReader(key),
};
const OF_MARKS = {
  read: (message, tabId) => openReader(`tab-${tabId}`),
  correct: async ({ changes }, tabId) => ({ rules: (await correctTab(tabId, changes)).answer.learned }),
};

api.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== api.runtime.id) return false;
  const ours = sender.url?.startsWith(api.runtime.getURL(""));
  const action = (ours ? OF_PAGES : OF_MARKS)[message?.action];
  if (!action || (!ours && !sender.tab)) return false;
  Promise.resolve(action(message, sender.tab?.id)).then(
    (value) => answer({ value }),
    (error) => answer({ error: { code: error.code ?? "error", message: error.message } }),
  );
  return true; // the answer comes later
});

async function toggle(tabId) {
  if (await inTab(tabId, "isMarked")) return openReader(`tab-${tabId}`);
  return extractTab(tabId);
}

async function openReader(key) {
  await api.tabs.create({ url: api.runtime.getURL(`reader/reader.html?key=${encodeURIComponent(key)}`) });
}

async function copySelection(tabId) {
  const markdown = await selectionAsMarkdown(tabId);
  if (await inTab(tabId, "copy", markdown).catch(() => false)) return;
  // The browser lets nobody copy there (the page is not secure, or has no focus): a click on our own page does it.
  await api.storage.session.set({ selection: { key: "selection", markdown } });
  await openReader("selection");
}

async function report(error) {
  await api.storage.session.set({ problem: { code: error.code ?? "error", message: error.message } });
  await api.tabs.create({ url: api.runtime.getURL("options/options.html?problem") });
}
