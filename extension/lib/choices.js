// How a page is extracted and shown, remembered for each site.
import { api } from "./api.js";

export const DEFAULTS = {
  method: "auto",
  focus: "balanced", // precision, balanced, recall
  siblings: 0, // other pages of the site to compare with
  session: true, // fetch them in the browser, with the reader's login; false: through the server, without
  highlights: "both", // content, rest, both
};

export function siteOf(url) {
  try {
    return new URL(url).host.replace(/^www\./, "");
  } catch {
    return "";
  }
}

export async function choicesFor(url) {
  const key = `site:${siteOf(url)}`;
  const stored = await api.storage.local.get(key);
  return { ...DEFAULTS, ...stored[key] };
}

export async function remember(url, choices) {
  const key = `site:${siteOf(url)}`;
  const changed = Object.fromEntries(Object.entries(choices).filter(([name, value]) => name in DEFAULTS && value !== DEFAULTS[name]));
  if (Object.keys(changed).length) await api.storage.local.set({ [key]: changed });
  else await api.storage.local.remove(key);
}
