// What our own pages share.  Text of web pages is only ever put into text nodes.
import { api } from "./api.js";
import { ServerError } from "./server.js";

export const $ = (selector) => document.querySelector(selector);

// element("p", { class: "small" }, "text", child, …)
export function element(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== false) one.setAttribute(key, value === true ? "" : value);
  one.append(...children.filter((child) => child !== null && child !== undefined));
  return one;
}

export async function send(message) {
  const answer = await api.runtime.sendMessage(message);
  if (answer?.error) throw new ServerError(answer.error.code, answer.error.message);
  return answer?.value;
}

export async function copyText(text, button) {
  await navigator.clipboard.writeText(text);
  const label = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}

export function fileName(title, ending) {
  const name = (title ?? "").replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^[-_]+|[-_]+$/g, "").slice(0, 80);
  return `${name || "extract"}.${ending}`;
}

export function saveFile(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function facts({ result, words }) {
  const confidence = result.confidence;
  const level = confidence === null ? "" : confidence >= 0.7 ? "good" : confidence < 0.4 ? "bad" : "";
  return [
    result.author && element("span", { class: "author" }, result.author),
    result.date && element("time", { datetime: result.date }, result.date),
    element("span", { class: "numbers words" }, `${words.toLocaleString("en")} words`),
    result.page_type && element("span", { class: "pill type" }, result.page_type),
    confidence !== null && element("span", { class: `pill numbers confidence ${level}` }, `confidence ${confidence.toFixed(2)}`),
    result.status !== "ok" && element("span", { class: "pill bad status" }, result.status.replaceAll("_", " ")),
  ].filter(Boolean);
}

// A control for each choice; `changed` is called with the new values.
export function choiceControls(form, choices, hello, changed) {
  const method = element("select", { name: "method", id: "method" });
  for (const { name, about } of hello.methods) method.append(element("option", { value: name, title: about }, name));
  method.value = choices.method;
  const siblings = element("select", { name: "siblings", id: "siblings" });
  for (let count = 0; count <= hello.siblings; count++) siblings.append(element("option", { value: count }, count === 0 ? "none" : String(count)));
  siblings.value = choices.siblings;
  const row = (label, target, ...controls) => element("div", { class: "row" }, element("label", target ? { for: target } : {}, label), ...controls);
  form.replaceChildren(
    row("Method", "method", method),
    row("Focus", null, radios("focus", { precision: "Precision", balanced: "Balanced", recall: "Recall" }, choices.focus)),
    row("Compare", "siblings", siblings, element("span", { class: "small faint" }, "with other pages")),
    row("Fetch them", null, radios("session", { true: "With my login", false: "Without" }, String(choices.session))),
    row("Show", null, radios("highlights", { both: "Both", content: "Content", rest: "Rest" }, choices.highlights)),
  );
  form.onchange = () => {
    const values = Object.fromEntries(new FormData(form));
    changed({ ...values, siblings: Number(values.siblings), session: values.session === "true" });
  };
}

function radios(name, values, chosen) {
  return element("span", { class: "choice", role: "radiogroup" }, ...Object.entries(values).map(([value, label]) =>
    element("label", {}, element("input", { type: "radio", name, value, checked: value === chosen }), element("span", {}, label))));
}
