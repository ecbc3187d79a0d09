// HTML of the server as nodes of our own page.  The server rebuilds it from an allow-list already; here it is built once
// more, so that not even a broken server could put anything into this page that runs, loads or sends.
const ELEMENTS = new Set(("h1 h2 h3 h4 h5 h6 p br hr ul ol li dl dt dd blockquote pre code em strong b i u s del ins sub sup small mark q cite " +
  "abbr kbd samp var time table caption thead tbody tfoot tr th td figure figcaption img a span div section article details summary ruby rt rp").split(" "));
const ATTRIBUTES = { a: ["href", "title"], img: ["src", "alt", "title", "width", "height"], ol: ["start", "reversed"], td: ["colspan", "rowspan"], th: ["colspan", "rowspan", "scope"], time: ["datetime"], "*": ["lang", "dir"] };
const ADDRESS = /^(https?:|mailto:)/i;

export function inert(html) {
  const fragment = document.createDocumentFragment();
  const source = new DOMParser().parseFromString(html, "text/html"); // a document of its own: nothing runs or loads in it
  copy(source.body, fragment);
  return fragment;
}

function copy(from, to) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    else if (node.nodeType === Node.ELEMENT_NODE) copy(node, rebuilt(node, to));
  }
}

function rebuilt(node, to) {
  const name = node.localName;
  if (/^(script|style|template|iframe|object|svg|math)$/.test(name)) return document.createDocumentFragment();
  if (!ELEMENTS.has(name)) return to; // what stands in it stays
  const one = document.createElement(name);
  for (const attribute of [...(ATTRIBUTES[name] ?? []), ...ATTRIBUTES["*"]]) {
    const value = node.getAttribute(attribute);
    if (value !== null && (!/^(href|src)$/.test(attribute) || ADDRESS.test(value))) one.setAttribute(attribute, value);
  }
  if (name === "a") Object.assign(one, { target: "_blank", rel: "noopener noreferrer" });
  if (name === "img") Object.assign(one, { loading: "lazy", referrerPolicy: "no-referrer" });
  to.append(one);
  return one;
}
