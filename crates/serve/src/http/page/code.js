// Lines of code with their numbers, tints and marks.

import { h } from './dom.js';

/**
 * text: the lines; first: the number of the first; tints: [line, start, end, tint]; marked: a set of
 * lines; link: from a line to an address for its number.
 */
export function code({ text, first, tints, marked, label, link }) {
  const byLine = new Map();
  for (const tint of tints ?? []) {
    if (!byLine.has(tint[0])) byLine.set(tint[0], []);
    byLine.get(tint[0]).push(tint);
  }
  const lines = text.split('\n').map((line, n) => {
    const number = first + n;
    const source = line.endsWith('\r') ? line.slice(0, -1) : line;
    return h('div', { class: marked?.has(number) ? 'line marked' : 'line', 'data-line': number },
      link ? h('a', { class: 'no', href: link(number), 'aria-label': `line ${number}` }, number) : h('span', { class: 'no' }, number),
      h('span', { class: 'src' }, painted(source, byLine.get(number))));
  });
  return h('div', { class: 'code', tabindex: '0', role: 'region', 'aria-label': label }, lines);
}

function painted(line, tints) {
  if (!tints) return line || '\u200b';
  const parts = [];
  let at = 0;
  for (const [, start, end, tint] of tints) {
    if (start > at) parts.push(line.slice(at, start));
    parts.push(h('span', { class: `t${tint}` }, line.slice(start, end)));
    at = end;
  }
  if (at < line.length) parts.push(line.slice(at));
  return parts;
}

/** A window on long code: the lines around the first marked one. */
export function clipped(text, first, best, most) {
  const lines = text.split('\n');
  if (lines.length <= most + 4) return null;
  const centre = best.length ? Math.min(...best.slice(0, 2)) - first : 0;
  const start = Math.max(0, Math.min(centre - 3, lines.length - most));
  return { text: lines.slice(start, start + most).join('\n'), first: first + start, all: lines.length };
}
