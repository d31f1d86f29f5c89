// Elements from values. Text goes in as text nodes only, so nothing from a tree becomes markup.

const SVG = 'http://www.w3.org/2000/svg';

/** h('a', { href, class, onclick }, child, 'text', [more]) */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same in a drawing. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...flat(children));
  return element;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Puts children in place of what is there. */
export function put(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** 12345 → 12,345 */
export const count = (number) => Number(number).toLocaleString('en');

/** One thing, two things. */
export const things = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;

export function bytes(number) {
  if (number < 1e3) return `${number} B`;
  if (number < 1e6) return `${(number / 1e3).toFixed(1)} kB`;
  return `${(number / 1e6).toFixed(1)} MB`;
}

export function duration(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export const percent = (share) => `${Math.round(share * 100)} %`;

/** Says something to a reader who does not see the page. */
export function announce(text) {
  byId('live').textContent = text;
}

/** A box for what is not there: nothing found, nothing yet, something failed. */
export function notice(kind, title, ...children) {
  const role = kind === 'error' ? 'alert' : undefined;
  return h('section', { class: `notice ${kind}`, role }, h('h2', {}, title), children);
}

/** What to show for a failure, with a way to try again. */
export function failure(problem, again) {
  return notice('error', problem.title ?? 'That did not work',
    h('p', {}, problem.detail ?? String(problem)),
    problem.advice && h('p', { class: 'advice' }, `What to do: ${problem.advice}.`),
    problem.code && h('p', { class: 'small soft' }, 'code ', h('code', {}, problem.code)),
    again && h('button', { type: 'button', onclick: again }, 'Try again'));
}

/** Grey blocks where content is about to be. */
export function skeleton(blocks) {
  const block = () => h('div', { class: 'bone' }, h('i', {}), h('i', {}), h('i', {}));
  return h('div', { class: 'skeleton', 'aria-hidden': 'true' }, Array.from({ length: blocks }, block));
}
