// The index: how fresh, how far encoded, what was left out and why, how large.

import { events, get, post } from './api.js';
import { announce, bytes, count, duration, failure, h, notice, percent, put, things } from './dom.js';
import { address } from './route.js';

const PAGE = 100;

export async function show(main) {
  const view = new IndexView(main);
  await view.load();
  view.follow();
  return { leave: () => view.listening.abort(), update: () => {} };
}

class IndexView {
  constructor(main) {
    this.main = main;
    this.listening = new AbortController();
  }

  async load() {
    this.status = await get('/api/status', { skipped_limit: PAGE });
    const several = this.status.served.length > 1;
    this.trees = several ? await get('/api/trees') : null;
    this.draw();
  }

  draw() {
    const { status } = this;
    this.work = h('div', { class: 'work' });
    this.button = h('button', { type: 'button', id: 'refresh', onclick: () => this.refresh() }, 'Refresh now');
    put(this.main,
      h('header', { class: 'page-head' }, h('h1', {}, 'Index'), this.button),
      this.trees && this.repositories(this.trees),
      h('p', { class: 'soft' }, h('code', {}, status.root)),
      this.work,
      status.indexed ? this.indexed(status.indexed) : notice('empty', 'Not indexed yet', h('p', {}, 'The first index is being made; this page follows it.')));
    this.activity(status.activity);
  }

  /** Every tree that is served; the one below is marked. */
  repositories({ trees, left_out: leftOut }) {
    const row = (it) => h('tr', { 'aria-current': it.root === this.status.root && 'true' },
      h('th', { scope: 'row' }, h('a', { href: address('index', { tree: it.label }), title: it.root }, it.label)),
      h('td', {}, it.fresh === null ? 'being made' : it.fresh ? 'up to date' : 'out of date'),
      h('td', { class: 'number' }, count(it.files)),
      h('td', { class: 'number' }, it.chunks ? percent(it.with_vectors / it.chunks) : '–'),
      h('td', { class: 'number' }, count(it.skipped)),
      h('td', { class: 'number' }, bytes(it.bytes_on_disk)));
    const heads = ['Repository', 'State', 'Files', 'Encoded', 'Skipped', 'Size'];
    return h('section', { id: 'repositories' }, h('h2', {}, 'Repositories'),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Repositories' },
        h('table', {}, h('thead', {}, h('tr', {}, heads.map((it) => h('th', { scope: 'col' }, it)))), h('tbody', {}, trees.map(row)))),
      leftOut.map((it) => h('p', { class: 'warning' }, `Not served: ${it}`)));
  }

  indexed(it) {
    const { index } = it;
    const state = it.fresh ? 'up to date' : 'out of date; the next question refreshes it';
    const commit = index.commit ? `commit ${index.commit.slice(0, 12)}${index.dirty_files === null ? '' : `, ${things(index.dirty_files, 'changed file', 'changed files')}`}` : 'not under git';
    const tiles = [
      [it.fresh ? 'Fresh' : 'Stale', state], [count(index.files), 'files'], [count(index.chunks), 'chunks'],
      [bytes(it.bytes_on_disk), 'on disk'], [count(index.skipped), 'skipped'],
    ].map(([value, label]) => h('li', {}, h('div', { class: 'tile' }, h('b', {}, value), h('span', {}, label))));
    return [
      h('ul', { class: 'tiles' }, tiles),
      h('p', { class: 'soft small' }, commit, '. Kept in ', h('code', {}, it.folder)),
      h('section', {}, h('h2', {}, 'Languages'), this.languages(it.languages)),
      h('section', {}, h('h2', {}, 'Left out'), this.skipped(it)),
    ];
  }

  languages(languages) {
    const rows = Object.entries(languages).sort((a, b) => b[1] - a[1]);
    const most = rows[0]?.[1] ?? 1;
    if (!rows.length) return h('p', { class: 'soft' }, 'The tree holds no text to index.');
    const row = ([name, files]) => {
      const bar = h('i', { class: 'bar-fill' });
      bar.style.width = `${(files / most) * 100}%`;
      return h('li', {}, h('span', {}, name), h('span', { class: 'bar-track', 'aria-hidden': 'true' }, bar), h('span', { class: 'number' }, count(files)));
    };
    return h('ul', { class: 'bars' }, rows.map(row));
  }

  skipped(it) {
    if (!it.index.skipped) return h('p', { class: 'soft' }, 'Nothing: every file that is not ignored is indexed.');
    const reasons = Object.entries(it.skipped_by_reason).sort((a, b) => b[1] - a[1]);
    const body = h('tbody', {});
    const more = h('p', { class: 'row' });
    let shown = 0;
    const add = (files) => {
      body.append(...files.map((file) => h('tr', {}, h('td', {}, h('code', {}, file.path)), h('td', {}, file.reason))));
      shown += files.length;
      put(more, shown < it.index.skipped && h('button', { type: 'button', onclick: async () => {
        const next = await get('/api/status', { skipped_limit: PAGE, skipped_offset: shown });
        add(next.indexed.skipped_files);
      } }, `More of ${count(it.index.skipped)}`));
    };
    add(it.skipped_files);
    return [
      h('p', {}, reasons.map(([reason, files]) => h('span', { class: 'chip' }, `${count(files)} ${reason}`))),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Skipped files' },
        h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'File'), h('th', { scope: 'col' }, 'Why'))), body)),
      more,
    ];
  }

  activity(activity) {
    const { indexing, last_refresh: last, encoding } = activity;
    const words = {
      waiting: 'not begun', running: 'encoding in the background', paused: 'paused while questions are answered',
      done: 'complete', elsewhere: 'another process encodes this tree', off: 'search by meaning is off', failed: 'failed',
    };
    const { done = 0, total = 0 } = encoding.progress ?? {};
    put(this.work,
      h('div', { class: 'meter' },
        h('span', { id: 'indexing-label' }, 'Index ', h('b', {}, indexing ? 'being refreshed' : 'at rest')),
        h('progress', { 'aria-labelledby': 'indexing-label', max: indexing ? indexing.total || 1 : 1, value: indexing ? (indexing.total ? indexing.done : undefined) : 1 }),
        h('span', { class: 'number soft' }, indexing?.total ? `${count(indexing.done)} of ${count(indexing.total)} files` : last ? refreshed(last) : '')),
      h('div', { class: 'meter' },
        h('span', { id: 'encoding-label' }, 'Meaning ', h('b', { id: 'encoding-state' }, words[encoding.state])),
        h('progress', { 'aria-labelledby': 'encoding-label', max: total || 1, value: done }),
        h('span', { class: 'number soft' }, total ? `${count(done)} of ${count(total)} chunks, ${percent(done / total)}` : '')),
      encoding.because && h('p', { class: 'warning' }, encoding.because));
    this.button.disabled = Boolean(indexing);
    this.last ??= last?.number;
    if (last && last.number !== this.last && !indexing) {
      this.last = last.number;
      announce('The index was refreshed');
      this.load().catch(() => {});
    }
  }

  async refresh() {
    this.button.disabled = true;
    try {
      const { activity } = await post('/api/index');
      this.activity(activity);
    } catch (problem) {
      put(this.work, failure(problem, () => this.refresh()));
    }
  }

  follow() {
    const listen = () => events('/api/index?follow=true', (activity) => this.activity(activity), this.listening.signal)
      .catch((problem) => problem.name !== 'AbortError' && setTimeout(listen, 3000));
    listen();
  }
}

function refreshed(last) {
  if (last.failed_because) return `last refresh failed: ${last.failed_because}`;
  return `last refresh: ${count(last.read)} read, ${count(last.indexed)} indexed, ${count(last.removed)} removed in ${duration(last.took_ms)}`;
}
