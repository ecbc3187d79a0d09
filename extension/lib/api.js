// The browser's interface to extensions; both names give promises under Manifest V3.
export const api = globalThis.browser ?? globalThis.chrome;
