// A file with its outline, the lines that were asked for marked: of the served tree, or of a fleet, where what uses
// it, what is like it and an editor are not known.

import { get } from './api.js';
import { code } from './code.js';
import { announce, count, failure, h, notice, put } from './dom.js';
import { keys } from './keys.js';
import { panel, wordAt } from './refs.js';
import { address, amend, go } from './route.js';

const PAGE = 2000;

export async function show(main, parameters) {
  const path = parameters.get('path');
  if (!path) {
    put(main, notice('empty', 'No file is named', h('p', {}, h('a', { href: '/' }, 'Ask a question'), ' and open a hit.')));
    return {};
  }
  const view = new File(main, path, parameters);
  await view.load();
  return { update: (changed) => (changed.get('path') === path && (changed.get('in') ?? '') === view.in ? view.jump(changed) : show(main, changed)) };
}

class File {
  constructor(main, path, parameters) {
    Object.assign(this, { main, path });
    this.read(parameters);
  }

  read(parameters) {
    this.q = parameters.get('q') ?? '';
    this.in = parameters.get('in') ?? '';
    this.line = Number(parameters.get('line')) || 0;
    this.from = Number(parameters.get('from')) || this.line;
    this.to = Number(parameters.get('to')) || this.line;
    this.uses = (!this.in && parameters.get('uses')) || '';
  }

  async load() {
    const start = Math.max(1, (this.line || 1) - PAGE / 2);
    this.file = await this.lines(start);
    this.draw();
    this.scroll();
    announce(`${this.path}, ${this.file.total_lines} lines`);
  }

  lines(start) {
    return get(this.in ? '/api/fleet/file' : '/api/file', { path: this.path, start, limit: PAGE, highlight: true });
  }

  draw() {
    const { file } = this;
    document.title = `${file.path} – wherein`;
    this.editor = h('a', { class: 'button' }, 'Open in editor');
    this.similar = h('a', { class: 'button' }, 'Similar code');
    this.used = h('button', { type: 'button', onclick: () => this.showUses() }, 'Uses');
    this.side = h('div', { class: 'side' });
    const lines = file.text === '' ? 0 : file.text.split('\n').length;
    const end = file.start_line + lines - 1;
    this.body = h('div', { class: 'source', onclick: (event) => this.pick(event) });
    const piece = (text, start) => h('p', { class: 'row' }, h('button', { type: 'button', onclick: () => this.page(start) }, text));
    put(this.main,
      h('div', { class: 'crumbs' }, this.q ? h('a', { href: address('search', { q: this.q, in: this.in }) }, `← Hits for “${this.q}”`) : h('a', { href: '/' }, '← Search')),
      h('header', { class: 'file-head' },
        h('h1', {}, file.repository && h('span', { class: 'chip repository' }, file.repository), file.repository ? file.path.slice(file.repository.length + 1) : file.path),
        h('p', { class: 'soft small' }, `${file.language}, ${count(file.total_lines)} lines`, file.note && `, ${file.note}`,
          file.revision && [' at ', h('code', {}, file.revision.slice(0, 10))]),
        h('p', { class: 'row' }, !this.in && [this.editor, this.similar, this.used,
          h('a', { class: 'button', href: address('graph', { path: file.path }) }, 'Imports')],
          h('button', { type: 'button', onclick: (event) => this.copy(event.target) }, 'Copy path'))),
      h('div', { class: 'columns' },
        this.outline(),
        h('div', { class: 'column' },
          file.start_line > 1 && piece('Earlier lines', Math.max(1, file.start_line - PAGE)),
          this.body,
          end < file.total_lines && piece('Later lines', end + 1)),
        this.side));
    this.mark();
    keys({ Escape: () => (this.uses ? (this.showUses(''), true) : this.q ? (history.back(), true) : false), u: () => !this.in && (this.showUses(), true) });
    this.beside();
  }

  mark() {
    const { file } = this;
    const marked = new Set();
    for (let line = this.from; line && line <= this.to && marked.size < 2000; line += 1) marked.add(line);
    put(this.body, file.text === ''
      ? notice('empty', 'The file is empty')
      : code({ text: file.text, first: file.start_line, tints: file.tints, marked, label: file.path, link: (line) => this.address(line) }));
    const line = this.line || 1;
    this.editor.href = file.editor.replace('{line}', line);
    this.similar.href = address('search', { q: this.q || this.path.split('/').pop(), similar: `${this.path}:${line}` });
    for (const link of this.main.querySelectorAll('.outline a')) {
      const [first, last] = link.dataset.lines.split('-').map(Number);
      const isHere = this.line >= first && this.line <= last;
      isHere ? link.setAttribute('aria-current', 'location') : link.removeAttribute('aria-current');
    }
    const inner = [...this.main.querySelectorAll('.outline a[aria-current]')];
    inner.slice(0, -1).forEach((link) => link.removeAttribute('aria-current'));
    const symbol = inner.at(-1)?.title;
    this.used.textContent = symbol ? `Uses of ${symbol}` : 'Uses of this file';
  }

  /** Shows what uses a name, the symbol at the line, or the file; nothing for an empty name. */
  showUses(what = this.line ? String(this.line) : 'file') {
    go(address('file', { path: this.path, line: this.line || '', q: this.q, uses: what }));
  }

  /** A name that is clicked in the text is looked up; what is selected is left alone. */
  pick(event) {
    if (this.in || event.target.closest('a') || String(getSelection())) return;
    const word = event.target.closest('.src') && wordAt(event.clientX, event.clientY);
    if (word) this.showUses(word);
  }

  beside() {
    const { uses, path } = this;
    const close = () => this.showUses('');
    const symbol = this.main.querySelector('.outline a[aria-current]')?.title;
    if (!uses) put(this.side);
    else if (uses === 'file' || (/^\d+$/.test(uses) && !symbol)) put(this.side, panel({ path }, path.split('/').pop(), close));
    else if (/^\d+$/.test(uses)) put(this.side, panel({ path, line: uses }, symbol, close));
    else put(this.side, panel({ name: uses }, uses, close));
  }

  outline() {
    const { symbols } = this.file;
    const item = (symbol) => {
      const link = h('a', { href: address('file', { path: this.path, line: symbol.name_line, from: symbol.start_line, to: symbol.end_line, q: this.q, in: this.in, uses: this.in || symbol.kind === 'heading' ? '' : symbol.name_line }), 'data-lines': `${symbol.start_line}-${symbol.end_line}`, title: symbol.qualified },
        h('span', { class: `kind kind-${symbol.kind}`, 'aria-hidden': 'true' }, symbol.kind.slice(0, 1)), symbol.name);
      link.style.paddingInlineStart = `${0.5 + Math.min(symbol.depth, 5) * 0.9}rem`;
      return h('li', {}, link);
    };
    return h('nav', { class: 'outline', 'aria-label': 'Symbols of the file' },
      h('h2', {}, 'Outline'),
      symbols.length ? h('ol', {}, symbols.slice(0, 1500).map(item)) : h('p', { class: 'soft small' }, 'It defines nothing by name.'));
  }

  address(line) {
    return address('file', { path: this.path, line, q: this.q, in: this.in });
  }

  jump(parameters) {
    this.read(parameters);
    const there = this.main.querySelector(`[data-line="${this.line}"]`);
    if (this.line && !there) return this.load();
    this.mark();
    this.scroll();
    this.beside();
    return null;
  }

  async page(start) {
    try {
      this.file = await this.lines(start);
      this.line = this.from = this.to = start;
      amend(this.address(start));
      this.draw();
      this.scroll();
    } catch (problem) {
      put(this.body, failure(problem, () => this.page(start)));
    }
  }

  scroll() {
    const line = this.main.querySelector(`[data-line="${this.line}"]`);
    if (line && this.line > 8) line.scrollIntoView({ block: 'center' });
    this.main.querySelector('.outline a[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  async copy(button) {
    await navigator.clipboard?.writeText(this.path).catch(() => {});
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy path'; }, 1200);
  }
}
