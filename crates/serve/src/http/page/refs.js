// What uses a symbol, in a panel beside the file: each use a link.

import { get } from './api.js';
import { announce, failure, h, put, things } from './dom.js';
import { address } from './route.js';

const PAGE = 50;

/** The word of a line at a place on the screen, or null. */
export function wordAt(x, y) {
  const spot = document.caretPositionFromPoint?.(x, y);
  const range = spot ? null : document.caretRangeFromPoint?.(x, y);
  const [node, offset] = spot ? [spot.offsetNode, spot.offset] : [range?.startContainer, range?.startOffset];
  if (node?.nodeType !== Node.TEXT_NODE) return null;
  for (const found of node.data.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (found.index <= offset && offset <= found.index + found[0].length) return found[0];
  }
  return null;
}

/** `what` is { name } or { path, line }; `shown` is said while it is looked for; `close` ends it. */
export function panel(what, shown, close) {
  const title = h('h2', {}, `Uses of ${shown}`);
  const body = h('div', { 'aria-live': 'polite' }, h('p', { class: 'soft' }, 'Looking…'));
  const element = h('aside', { class: 'panel uses', 'aria-label': `Uses of ${shown}` },
    h('header', {}, title, h('button', { type: 'button', class: 'quiet', onclick: close, 'aria-label': 'Close' }, '✕')), body);
  load(what, body);
  return element;
}

async function load(what, body) {
  try {
    const found = await get('/api/refs', { ...what, limit: PAGE });
    draw(found, what, body);
  } catch (problem) {
    // Whoever clicks a word of a file cannot know whether it is one of the tree's.
    const isForeign = problem.code === 'name_unknown';
    put(body, isForeign ? h('p', {}, 'Nothing in the tree defines it.') : failure(problem, () => load(what, body)));
  }
}

function draw(found, what, body) {
  const sure = h('ol', { class: 'near' }, found.uses.map(use));
  const perhaps = h('ol', { class: 'near' }, found.possible.map(use));
  const total = things(found.total, 'use', 'uses');
  announce(`${total}`);
  put(body,
    found.definitions.slice(0, 5).map((it) => h('p', { class: 'small' }, `${it.kind} `, h('a', { href: place(it) }, it.name), ` in ${it.path}`)),
    found.importers.length > 0 && [h('h3', {}, `Imported by ${things(found.importers.length, 'file', 'files')}`),
      h('ol', { class: 'near' }, found.importers.slice(0, PAGE).map((path) => h('li', {}, h('a', { href: address('file', { path }) }, path))))],
    h('h3', {}, total), sure, more(found.uses.length, found.total, 'uses', what, sure),
    found.possible_total > 0 && [h('h3', {}, `${things(found.possible_total, 'use', 'uses')} of the name that may mean it`), perhaps,
      more(found.possible.length, found.possible_total, 'possible', what, perhaps)],
    found.horizon.notes.length > 0 && h('p', { class: 'small soft' }, `Not seen: ${found.horizon.notes.join('; ')}.`));
}

const place = (it) => address('file', { path: it.path, line: it.line });

function use(it) {
  return h('li', {},
    h('a', { href: place(it) }, `${it.path}:${it.line}`), h('span', { class: 'soft' }, it.within ? `${it.kind} in ${it.within}` : it.kind),
    it.confidence > 0 && it.confidence < 0.9 && h('span', { class: 'soft' }, ', by name alone'),
    h('code', { class: 'use' }, it.text));
}

/** A button for the rest of a list, a page at a time. */
function more(shown, total, sort, what, list) {
  if (shown >= total) return null;
  const button = h('button', { type: 'button' }, `Show more of ${total}`);
  button.addEventListener('click', async () => {
    const offset = list.children.length;
    const next = await get('/api/refs', { ...what, limit: PAGE, offset }).catch(() => null);
    list.append(...(next?.[sort] ?? []).map(use));
    if (!next || list.children.length >= total) button.remove();
  });
  return h('p', { class: 'row' }, button);
}
