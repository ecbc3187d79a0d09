// Requests to the local server.  The token is kept in the storage of the extension, which no page can read, and is sent
// to the paired address only.
import { api } from "./api.js";

const DEFAULT_ADDRESS = "http://127.0.0.1:8177";
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;

export class ServerError extends Error {
  // code: "offline", "unpaired", or the code of the server's answer
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// Content scripts run inside of pages: they get the storage of none of our secrets.
api.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" }).catch(() => {});

export async function server() {
  const { address, token } = await api.storage.local.get({ address: DEFAULT_ADDRESS, token: "" });
  return { address: ADDRESS.test(address) ? address : DEFAULT_ADDRESS, token };
}

// "localhost:8177", "http://127.0.0.1:8177/x" -> "http://127.0.0.1:8177"; null for every other machine
export function localAddress(text) {
  const match = /^\s*(?:http:\/\/)?(?:127\.0\.0\.1|localhost):(\d{1,5})(?:\/.*)?\s*$/.exec(text);
  return match ? `http://127.0.0.1:${match[1]}` : null;
}

export async function pair(address, code) {
  const answer = await post(address, "/extension/pair", { code }, "");
  await api.storage.local.set({ address, token: answer.token });
}

export async function unpair() {
  await api.storage.local.remove("token");
}

export async function ask(path, body = {}) {
  const { address, token } = await server();
  if (!token) throw new ServerError("unpaired", "This add-on is not paired with a server yet.");
  return post(address, path, body, token);
}

async function post(address, path, body, token) {
  let response;
  try {
    response = await fetch(address + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
    });
  } catch {
    throw new ServerError("offline", `No server answers at ${address}.`);
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new ServerError("offline", `What answers at ${address} is no Thresher.`);
  }
  if (response.ok) return answer;
  const { code = "error", message = `the server answered ${response.status}` } = answer.error ?? {};
  throw new ServerError(code === "origin" || code === "token" ? "unpaired" : code, message);
}
