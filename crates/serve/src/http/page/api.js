// Requests to our own server. A failure is thrown as the problem the server described.

import { byId } from './dom.js';
import { tree } from './route.js';

/** What the server refused, in its own words. */
export class Problem extends Error {
  constructor(fields) {
    super(fields.detail);
    Object.assign(this, fields);
  }
}

const isOfFleet = (path) => path.startsWith('/api/fleet/');

/** Where the tree that is looked at is asked. */
function own(path) {
  return tree() && path.startsWith('/api/') && !path.startsWith('/api/openapi') && !isOfFleet(path) ? `/api/trees/${encodeURIComponent(tree())}/${path.slice(5)}` : path;
}

let under_way = 0;

function pulse(step) {
  under_way += step;
  byId('pulse').hidden = under_way === 0;
}

export async function get(path, parameters, signal) {
  const address = new URL(own(path), location.origin);
  for (const [name, value] of Object.entries(parameters ?? {})) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '' && one !== false) address.searchParams.append(name, one);
    }
  }
  return json(await ask(address, { signal, fleet: isOfFleet(path) }));
}

export async function post(path, body) {
  const headers = body ? { 'Content-Type': 'application/json' } : {};
  return json(await ask(own(path), { method: 'POST', headers, body: body && JSON.stringify(body) }));
}

/** Calls `tell` with the data of every event until the stream ends. */
export async function events(path, tell, signal) {
  const response = await ask(own(path), { signal, headers: { Accept: 'text/event-stream' } }, true);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\n');
      if (data) tell(JSON.parse(data));
    }
  }
}

async function ask(address, options, quietly) {
  if (!quietly) pulse(1);
  try {
    const response = await fetch(address, { ...options, headers: { ...options.headers, ...authorization(options.fleet) } });
    if (response.ok) return response;
    const problem = await refusal(response);
    if (response.status !== 401) throw problem;
    await token(problem);
    return ask(address, options, quietly);
  } catch (error) {
    if (error instanceof Problem || error.name === 'AbortError') throw error;
    throw new Problem({ title: 'The server cannot be reached', detail: error.message, advice: 'see whether wherein serve still runs' });
  } finally {
    if (!quietly) pulse(-1);
  }
}

const json = (response) => response.json();

async function refusal(response) {
  const fields = await response.json().catch(() => ({ title: `Status ${response.status}`, detail: response.statusText }));
  return new Problem(fields);
}

/** The server's own token, and that of a fleet for what is asked of one. */
function authorization(fleet) {
  const [known, ours] = [sessionStorage.getItem('token'), fleet && sessionStorage.getItem('fleet-token')];
  return { ...(known && { Authorization: `Bearer ${known}` }), ...(ours && { 'wherein-fleet-token': ours }) };
}

/** Asks the user, once for all requests that wait. Who gives none for a fleet is told what was refused. */
let asking = null;
function token(problem) {
  const fleet = problem.code === 'fleet_token_needed';
  asking ??= new Promise((resolve, reject) => {
    const [dialog, field] = [byId('token'), byId('token-field')];
    byId('token-why').textContent = fleet
      ? `Which repositories you may see is decided by your token: ${problem.detail}.`
      : 'This server can be reached from other machines, so it asks for the token it was started with.';
    field.value = '';
    dialog.addEventListener('close', () => {
      const given = field.value.trim();
      asking = null;
      if (fleet && !given) return reject(problem);
      sessionStorage.setItem(fleet ? 'fleet-token' : 'token', given);
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}
