// The button of the extension.  First click: the page in front of the reader is extracted and marked, and this panel has
// the facts, the buttons and the choices.  Again, while the page is marked: the reading view.
import { api } from "../lib/api.js";
import { remember, siteOf } from "../lib/choices.js";
import { inTab } from "../lib/extract.js";
import { ask, localAddress, pair, server } from "../lib/server.js";
import { $, choiceControls, copyText, facts, fileName, saveFile, send } from "../lib/ui.js";

const SECTIONS = ["working", "offline", "unpaired", "paired", "failed", "done"];
let tab, hello, held;

function show(name) {
  for (const section of SECTIONS) $(`#${section}`).hidden = section !== name;
}

async function start() {
  show("working");
  // In a tab of its own the panel is about the tab that it is told of: so tests can open it.
  const told = Number(new URLSearchParams(location.search).get("tab"));
  tab = told ? await api.tabs.get(told) : (await api.tabs.query({ active: true, currentWindow: true }))[0];
  try {
    hello = await ask("/extension/hello");
    $("#server").textContent = `server ${hello.version}`;
    if (await inTab(tab.id, "isMarked")) return await read(`tab-${tab.id}`);
    await extract();
  } catch (error) {
    await fail(error);
  }
}

async function fail(error) {
  const { address } = await server();
  if (error.code === "offline") {
    $("#offline-where").textContent = error.message;
    show("offline");
  } else if (error.code === "unpaired") {
    $("#address").value = address.replace("http://", "");
    $("#pair-here").hidden = !pairingAddress();
    $("#pair-page").href = `${address}/extension`;
    show("unpaired");
  } else {
    $("#failed-why").textContent = error.message;
    show("failed");
  }
}

async function extract(changes = {}) {
  show("working");
  held = await send({ action: "extract", tabId: tab.id, changes });
  await fill();
}

async function fill() {
  const { answer, choices, url } = held;
  $("#title").textContent = answer.result.title || "Untitled";
  $("#facts").replaceChildren(...facts(answer));
  const warnings = [...answer.problems, ...answer.result.warnings];
  $("#warnings").hidden = !warnings.length;
  $("#warnings").textContent = warnings.slice(0, 3).join(" · ");
  $("#site").textContent = siteOf(url) || "this page";
  $("#rules").hidden = !answer.rules.length;
  $("#rules-count").textContent = answer.rules.length === 1 ? "One rule of this site is used." : `${answer.rules.length} rules of this site are used.`;
  choiceControls($("#choices"), choices, hello, async (changed) => {
    await remember(url, changed);
    try {
      await extract(changed);
    } catch (error) {
      await fail(error);
    }
  });
  show("done");
  $("#read").focus();
}

async function read(key) {
  await send({ action: "read", key });
  window.close();
}

// The server's own page about the add-on has the code: then one click is enough.
function pairingAddress() {
  const match = /^(http:\/\/(?:127\.0\.0\.1|localhost):\d+)\/extension$/.exec(tab?.url ?? "");
  return match && localAddress(match[1]);
}

async function pairWith(address, code) {
  $("#pair-problem").hidden = true;
  try {
    if (!address) throw new Error("The server is on this machine: 127.0.0.1 and its port.");
    await pair(address, code);
    if (pairingAddress()) show("paired");
    else await start();
  } catch (error) {
    $("#pair-problem").textContent = error.message;
    $("#pair-problem").hidden = false;
  }
}

$("#pair-form").addEventListener("submit", (event) => {
  event.preventDefault();
  pairWith(localAddress($("#address").value), $("#code").value);
});
$("#pair-click").addEventListener("click", async () => {
  const [{ result: code }] = await api.scripting.executeScript({
    target: { tabId: tab.id },
    func: () => document.getElementById("thresher-pairing-code")?.dataset.code ?? "",
  });
  pairWith(pairingAddress(), code);
});
$("#retry").addEventListener("click", start);
$("#failed-retry").addEventListener("click", start);
$("#other-server").addEventListener("click", async () => {
  $("#address").value = (await server()).address.replace("http://", "");
  show("unpaired");
});
$("#read").addEventListener("click", () => read(held.key));
$("#copy").addEventListener("click", () => copyText(held.answer.result.markdown, $("#copy")));
$("#explain").addEventListener("click", async () => {
  const { address } = await server();
  const query = new URLSearchParams({ source: held.answer.source, method: held.choices.method, focus: held.choices.focus, rendered: "true" });
  await api.tabs.create({ url: `${address}/?${query}` });
});
$("#wrong").addEventListener("click", async () => {
  await inTab(tab.id, "correct");
  window.close();
});
$("#forget").addEventListener("click", async () => {
  await ask("/extension/rules", { url: held.url, forget: true });
  await extract();
});
for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", () => {
    const { result, html } = held.answer;
    const page = `<!doctype html>\n<meta charset="utf-8">\n${html}`;
    const [text, type] = { md: [result.markdown, "text/markdown"], html: [page, "text/html"], json: [JSON.stringify(result, null, 2), "application/json"] }[button.dataset.save];
    saveFile(text, fileName(result.title, button.dataset.save), type);
  });
}
$("#to-options").addEventListener("click", () => api.runtime.openOptionsPage());
$("#to-benchmark").addEventListener("click", () => api.tabs.create({ url: api.runtime.getURL("benchmark/benchmark.html") }));

start();
