// Runs a method on the key pages of saved sites and prints the table of paper 002.
import { ask } from "../lib/server.js";
import { $, copyText, element } from "../lib/ui.js";

const PARTS = [["nodes", "recall"], ["nodes", "precision"], ["nodes", "f1"], ["bow", "recall"], ["bow", "precision"], ["bow", "f1"]];
const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : NaN);
let stopped = false;

async function start() {
  try {
    const { methods, benchmark } = await ask("/extension/hello");
    $("#method").replaceChildren(...methods.filter(({ needs }) => !needs.includes("layout")).map(({ name, about }) => element("option", { title: about }, name)));
    $("#method").value = "site";
    if (!benchmark) throw new Error("This server has no saved sites. Start it with: thresher serve --data FOLDER");
  } catch (error) {
    fail(error);
  }
}

function fail({ message }) {
  $("#problem").textContent = message;
  $("#problem").hidden = false;
}

// One row: means over outcomes in percent, then seconds; pages that a method cannot judge have no scores.
function figures(outcomes) {
  const scores = PARTS.map(([measure, part]) => 100 * mean(outcomes.filter(({ scores }) => measure in scores).map(({ scores }) => scores[measure][part])));
  return [...scores, mean(outcomes.map(({ seconds }) => seconds).filter(Boolean))];
}

const printed = (row) => row.map((value, at) => (Number.isNaN(value) ? "–" : value.toFixed(at === PARTS.length ? 3 : 2)));

function columnMeans(rows) {
  return rows[0].map((_, at) => mean(rows.map((row) => row[at]).filter((value) => !Number.isNaN(value))));
}

function table(outcomes) {
  const sites = Map.groupBy ? Map.groupBy(outcomes, ({ site }) => site) : grouped(outcomes);
  const judged = (some) => some.filter(({ status }) => status !== "skipped").length;
  const rows = [...sites].map(([site, ofSite]) => [site, judged(ofSite), figures(ofSite)]);
  const line = (name, count, row) => element("tr", {}, ...[name, String(count), ...printed(row)].map((text) => element("td", {}, text)));
  $("#rows").replaceChildren(...rows.map((row) => line(...row)));
  $("#means").replaceChildren(line("Mean of pages", judged(outcomes), figures(outcomes)), line("Mean of sites", judged(outcomes), columnMeans(rows.map(([, , row]) => row))));
  const lost = outcomes.filter(({ status }) => status !== "done");
  $("#skipped").textContent = lost.map(({ id, status, problem }) => `${id}: ${status}, ${problem}`).join(" · ");
  $("#table").hidden = false;
}

function grouped(outcomes) {
  const sites = new Map();
  for (const outcome of outcomes) sites.set(outcome.site, [...(sites.get(outcome.site) ?? []), outcome]);
  return sites;
}

function markdown() {
  const cells = (row) => [...row.cells].map(({ textContent }) => textContent);
  const rows = [...$("#rows").rows, ...$("#means").rows].map((row) => `| ${cells(row).join(" | ")} |`);
  return ["| site | pages | nodes R | P | F1 | words R | P | F1 | seconds |", "|---|---|---|---|---|---|---|---|---|", ...rows].join("\n");
}

$("#run").addEventListener("submit", async (event) => {
  event.preventDefault();
  stopped = false;
  $("#problem").hidden = true;
  $("#start").disabled = true;
  $("#stop").hidden = false;
  const method = $("#method").value;
  try {
    const { pages } = await ask("/extension/benchmark");
    const outcomes = [];
    for (const { id } of pages) {
      if (stopped) break;
      $("#progress").textContent = `${outcomes.length + 1} of ${pages.length}: ${id}`;
      outcomes.push(await ask("/extension/benchmark/page", { id, method }));
      table(outcomes);
    }
    $("#progress").textContent = `${outcomes.length} of ${pages.length} pages`;
    $("#copy").hidden = false;
  } catch (error) {
    fail(error);
  }
  $("#start").disabled = false;
  $("#stop").hidden = true;
});
$("#stop").addEventListener("click", () => { stopped = true; });
$("#copy").addEventListener("click", () => copyText(markdown(), $("#copy")));

start();
