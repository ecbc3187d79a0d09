// Settings: the pairing, the name beside labels, and what is remembered of sites.
import { api } from "../lib/api.js";
import { ask, localAddress, pair, server, unpair } from "../lib/server.js";
import { $, element } from "../lib/ui.js";

async function start() {
  const { problem } = await api.storage.session.get("problem");
  if (problem && location.search === "?problem") fail(problem);
  $("#address").value = (await server()).address.replace("http://", "");
  $("#labeller").value = (await api.storage.local.get({ labeller: "reader" })).labeller;
  await state();
  await sites();
}

function fail({ message }) {
  $("#problem").textContent = message;
  $("#problem").hidden = false;
}

async function state() {
  const { address, token } = await server();
  $("#unpair").hidden = !token;
  try {
    const { version } = await ask("/extension/hello");
    $("#state").textContent = `Paired with ${address}, version ${version}.`;
  } catch (error) {
    $("#state").textContent = error.code === "offline" ? `${error.message} Start it: thresher serve` : error.message;
  }
}

async function sites() {
  const stored = Object.entries(await api.storage.local.get(null)).filter(([name]) => name.startsWith("site:"));
  $("#no-sites").hidden = stored.length > 0;
  $("#sites").replaceChildren(...stored.map(([name, choices]) => {
    const forget = element("button", { class: "quiet small" }, "Forget");
    forget.addEventListener("click", async () => { await api.storage.local.remove(name); await sites(); });
    const said = Object.entries(choices).map(([choice, value]) => `${choice}: ${value}`).join(", ");
    return element("tr", {}, element("td", {}, name.slice("site:".length)), element("td", { class: "small faint" }, said), element("td", {}, forget));
  }));
}

$("#pair").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("#problem").hidden = true;
  const address = localAddress($("#address").value);
  try {
    if (!address) throw new Error("The server is on this machine: 127.0.0.1 and its port.");
    await pair(address, $("#code").value);
    $("#code").value = "";
  } catch (error) {
    fail(error);
  }
  await state();
});
$("#unpair").addEventListener("click", async () => { await unpair(); await state(); });
$("#labeller").addEventListener("change", () => api.storage.local.set({ labeller: $("#labeller").value.trim() || "reader" }));

start();
