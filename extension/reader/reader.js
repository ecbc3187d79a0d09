// The reading view: the result of a tab or of a link as an article, light or dark, in any size, to copy and to save.
import { api } from "../lib/api.js";
import { remember, siteOf } from "../lib/choices.js";
import { inTab, result } from "../lib/extract.js";
import { inert } from "../lib/inert.js";
import { ask, server } from "../lib/server.js";
import { $, choiceControls, copyText, element, facts, fileName, saveFile, send } from "../lib/ui.js";

const SIZES = [15, 17, 19, 21, 24, 28];
const key = new URLSearchParams(location.search).get("key") ?? "";
let held;

async function start() {
  const { size, theme } = await api.storage.local.get({ size: 19, theme: "" });
  applySize(size);
  if (theme) document.documentElement.dataset.theme = theme;
  try {
    held = await result(key);
    if (held.markdown !== undefined) return showMarkdown(held.markdown);
    fill();
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  $("#problem").textContent = error.message;
  $("#problem").hidden = false;
}

function fill() {
  const { answer, url } = held;
  const title = answer.result.title || "Untitled";
  document.title = title;
  $("#title").textContent = title;
  $("#origin").textContent = url.replace(/^https?:\/\//, "");
  if (/^https?:/.test(url)) $("#origin").href = url;
  document.documentElement.lang = answer.result.language || "en";
  const minutes = Math.max(1, Math.round(answer.words / 230));
  $("#facts").replaceChildren(...facts(answer), element("span", {}, `${minutes} min`));
  const article = inert(answer.html);
  const first = article.firstElementChild;
  if (first?.localName === "h1" && first.textContent.trim() === title.trim()) first.remove(); // it stands above already
  $("#article").replaceChildren(article);
  const notes = [...answer.problems, ...answer.result.warnings];
  if (answer.siblings.length) notes.unshift(`compared with ${answer.siblings.length} other pages of ${siteOf(url)}`);
  $("#warnings").textContent = notes.join(" · ");
  $("#wrong").hidden = held.tabId === null;
  $("#problem").hidden = true;
}

// What was selected, where the browser did not let us copy it there.
function showMarkdown(markdown) {
  document.title = "Selection as Markdown";
  $("#title").textContent = "Selection as Markdown";
  const text = element("textarea", { class: "markdown", readonly: true, "aria-label": "Markdown" });
  text.value = markdown;
  $("#article").replaceChildren(text);
  for (const name of ["explain", "wrong", "choose"]) $(`#${name}`).hidden = true;
  for (const button of document.querySelectorAll("[data-save]")) button.hidden = true;
  text.select();
}

function applySize(size) {
  document.documentElement.style.setProperty("--size", `${size}px`);
  document.documentElement.dataset.size = size;
}

async function resize(step) {
  const now = SIZES.indexOf(Number(document.documentElement.dataset.size));
  const size = SIZES[Math.min(Math.max(now + step, 0), SIZES.length - 1)];
  applySize(size);
  await api.storage.local.set({ size });
}

$("#smaller").addEventListener("click", () => resize(-1));
$("#larger").addEventListener("click", () => resize(1));
$("#theme").addEventListener("click", async () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  await api.storage.local.set({ theme: root.dataset.theme });
});
$("#copy").addEventListener("click", () => copyText(held.markdown ?? held.answer.result.markdown, $("#copy")));
for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", () => {
    const { result, html } = held.answer;
    const page = `<!doctype html>\n<meta charset="utf-8">\n${html}`;
    const [text, type] = { md: [result.markdown, "text/markdown"], html: [page, "text/html"], json: [JSON.stringify(result, null, 2), "application/json"] }[button.dataset.save];
    saveFile(text, fileName(result.title, button.dataset.save), type);
  });
}
$("#explain").addEventListener("click", async () => {
  const { address } = await server();
  const query = new URLSearchParams({ source: held.answer.source, method: held.choices.method, focus: held.choices.focus, rendered: "true" });
  await api.tabs.create({ url: `${address}/?${query}` });
});
$("#wrong").addEventListener("click", async () => {
  try {
    await inTab(held.tabId, "correct");
    await api.tabs.update(held.tabId, { active: true });
  } catch (error) {
    fail(error);
  }
});
$("#choose").addEventListener("click", async () => {
  const open = $("#choices").hidden;
  $("#choose").setAttribute("aria-expanded", String(open));
  if (open) {
    try {
      choiceControls($("#choices"), held.choices, await ask("/extension/hello"), change);
    } catch (error) {
      return fail(error);
    }
  }
  $("#choices").hidden = !open;
});

async function change(changes) {
  await remember(held.url, changes);
  try {
    held = await send({ action: "again", key, changes });
    fill();
  } catch (error) {
    fail(error);
  }
}

start();
