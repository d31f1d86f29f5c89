// Hits for a question: how they were found, what they look like, what is like them.

import { get } from './api.js';
import { clipped, code } from './code.js';
import { announce, count, duration, failure, h, notice, percent, put, skeleton, things } from './dom.js';
import { keys } from './keys.js';
import { address, amend, go, tree } from './route.js';

const CHANNELS = {
  lexical: 'words',
  'dense-code': 'meaning of code',
  'dense-docs': 'meaning of prose',
  definitions: 'definition',
  symbols: 'names',
  paths: 'path',
};
const KINDS = ['function', 'method', 'class', 'struct', 'enum', 'interface', 'trait', 'type', 'constant', 'module', 'test', 'heading', 'key', 'text'];
const LINES = 14;
const FACETS = 12;
const PAUSE = 160;

export async function show(main, parameters) {
  const view = new Results(main, parameters);
  view.draw();
  await view.languages();
  view.ask();
  return { update: (changed) => view.update(changed), leave: () => view.leave() };
}

class Results {
  constructor(main, parameters) {
    this.main = main;
    this.state = read(parameters);
    this.hits = [];
    this.chosen = -1;
  }

  leave() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.likening?.abort();
  }

  update(parameters) {
    this.state = read(parameters);
    this.controls();
    this.ask();
  }

  draw() {
    this.field = h('input', {
      id: 'question', type: 'search', autocomplete: 'off', spellcheck: 'false',
      placeholder: 'Ask in words, with an identifier, or paste code', 'aria-label': 'Question',
      oninput: () => this.typed(),
    });
    const form = h('form', { class: 'ask', role: 'search', onsubmit: (event) => {
      event.preventDefault();
      clearTimeout(this.timer);
      this.state.q = this.field.value.trim();
      history.pushState(null, '', this.address());
      this.ask();
    } }, this.field, h('button', { type: 'submit' }, 'Search'));
    this.bar = h('div', { class: 'controls' });
    this.count = h('p', { class: 'count soft small' });
    this.facets = h('div', { class: 'facets', role: 'group', 'aria-label': 'Repositories' });
    this.list = h('ol', { class: 'hits' });
    this.after = h('div', { class: 'after' });
    this.panel = h('aside', { class: 'panel', hidden: true, 'aria-label': 'Similar code' });
    put(this.main,
      h('h1', { class: 'unseen' }, 'Search'), form, this.bar,
      h('div', { class: 'columns' }, h('div', { class: 'column' }, this.count, this.facets, this.list, this.after), this.panel));
    this.controls();
    keys({
      ArrowDown: () => this.move(1), ArrowUp: () => this.move(-1),
      Enter: () => this.open(), s: () => this.like(this.hits[this.chosen]), e: () => this.edit(),
      Escape: () => this.close(),
    });
    if (!this.state.q) this.field.focus();
  }

  async languages() {
    const status = await get('/api/status', { skipped_limit: 0 }).catch(() => null);
    const known = Object.entries(status?.indexed?.languages ?? {});
    this.known = known.sort((a, b) => b[1] - a[1]).map(([name]) => name);
    this.root = status?.root ?? '';
    this.fleet = status?.fleet;
    this.controls();
  }

  controls() {
    const { state } = this;
    if (document.activeElement !== this.field) this.field.value = state.q;
    const set = (name) => (value) => { state[name] = value; this.changed(); };
    put(this.bar,
      (this.fleet || state.in) && choice('Search in', 'in', state.in, { '': 'this tree', fleet: 'all repositories' }, (value) => { Object.assign(state, { in: value, repo: [], similar: '', hit: '' }); this.changed(); }),
      choice('Search by', 'mode', state.mode, { lexical: 'words', dense: 'meaning', hybrid: 'both' }, set('mode')),
      choice('Fuse by', 'fusion', state.fusion, { scores: 'scores', ranks: 'ranks' }, set('fusion')),
      toggle('Expand', 'Ask again with words the best hits share', state.expand, set('expand')),
      toggle('Explain', 'Show what each field gave', state.explain, set('explain')),
      h('details', { class: 'filters', open: this.filters ?? (innerWidth > 640 || Boolean(state.lang || state.path || state.kind)), ontoggle: (event) => { this.filters = event.target.open; } },
        h('summary', {}, 'Filters'),
        h('div', {},
      select('Scope', state.scope, { all: 'code and docs', code: 'code', docs: 'docs' }, set('scope')),
      select('Language', state.lang, Object.fromEntries([['', 'any'], ...this.spoken().map((name) => [name, name])]), set('lang')),
      select('Kind', state.kind, { '': 'any', ...Object.fromEntries(KINDS.map((kind) => [kind, kind])) }, set('kind')),
      select('Hits are', state.unit, { span: 'spans', file: 'files' }, set('unit')),
      paths(state.path, set('path')))));
  }

  /** Languages to choose from: those of the tree, and in a fleet, which has others, those of the hits. */
  spoken() {
    const hits = this.state.in ? this.hits.map((hit) => hit.language) : [];
    return [...new Set([...(this.known ?? []), this.state.lang, ...hits])].filter(Boolean);
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.state.q = this.field.value.trim();
      this.state.similar = '';
      this.changed();
    }, PAUSE);
  }

  changed() {
    amend(this.address());
    this.ask();
  }

  address() {
    const { q, mode, fusion, expand, explain, scope, lang, kind, unit, path, similar, hit, repo } = this.state;
    return address('search', {
      q, in: this.state.in, repo, mode: mode === 'hybrid' ? '' : mode, fusion: fusion === 'scores' ? '' : fusion, expand: expand && '1',
      explain: explain && '1', scope: scope === 'all' ? '' : scope, lang, kind, unit: unit === 'span' ? '' : unit, path, similar, hit,
    });
  }

  request(offset) {
    const { q, mode, fusion, expand, explain, scope, lang, kind, unit, path } = this.state;
    return { text: q, mode, fusion, expand, explain, scope, unit, languages: lang, kinds: kind, paths: path.split(/[\s,]+/).filter(Boolean), offset, highlight: true, repositories: this.state.in && this.state.repo };
  }

  door() {
    return this.state.in ? '/api/fleet/search' : '/api/search';
  }

  async ask() {
    this.asking?.abort();
    if (!this.state.q) {
      this.hits = [];
      put(this.count);
      put(this.facets);
      put(this.after);
      put(this.list, h('li', { class: 'bare' }, notice('empty', 'Ask something',
        h('p', {}, 'For example “give up after too many attempts”, ', h('code', {}, 'parse_header'), ', or an error message.'))));
      return;
    }
    const mine = (this.asking = new AbortController());
    if (!this.hits.length) put(this.list, h('li', { class: 'bare' }, skeleton(3)));
    this.list.setAttribute('aria-busy', 'true');
    try {
      const page = await get(this.door(), this.request(0), mine.signal);
      this.hits = [];
      put(this.list);
      this.chosen = -1;
      this.add(page);
      const wanted = Number(this.state.hit);
      if (wanted > 0 && wanted <= this.hits.length) this.choose(wanted - 1, false);
      this.panelFromState();
    } catch (problem) {
      if (problem.name === 'AbortError') return;
      this.hits = [];
      put(this.count);
      put(this.facets);
      put(this.after);
      put(this.list, h('li', { class: 'bare' }, failure(problem, () => this.ask())));
    } finally {
      if (this.asking === mine) this.list.removeAttribute('aria-busy');
    }
  }

  async more(button) {
    button.disabled = true;
    try {
      this.add(await get(this.door(), this.request(this.hits.length)));
    } catch (problem) {
      put(this.after, failure(problem, () => this.more(button)));
    }
  }

  add(page) {
    const first = this.hits.length;
    this.hits.push(...page.hits);
    const total = (page.more ? 'First ' : '') + things(this.hits.length, 'hit', 'hits');
    const { files, skipped, commit, repositories } = page.index;
    put(this.count, `${total} in ${duration(page.took_ms)} from ${count(files)} files`,
      repositories !== undefined && ` of ${things(repositories, 'repository', 'repositories')}`,
      commit && [' at ', h('code', {}, commit.slice(0, 10))], skipped ? `, ${count(skipped)} skipped` : '');
    announce(page.hits.length ? total : 'Nothing found');
    const most = Math.max(...this.hits.map((hit) => hit.score), 0) || 1;
    const warnings = [
      page.stale_because && `Answered from the last index: ${page.stale_because}.`,
      page.dense_off_because && `Searched by words only: ${page.dense_off_because}.`,
      ...(page.index.partial ?? []).map((what) => `Not everything was searched, so hits may be missing: ${what}.`),
      this.hits.length && page.nothing_because && `${page.nothing_because}.`,
    ].filter(Boolean).map((text) => h('li', { class: 'bare warning' }, text));
    if (first === 0) this.list.append(...warnings);
    put(this.facets, page.facets && facets(page.facets, this.state.repo, (repo) => { this.state.repo = repo; this.changed(); }));
    this.list.append(...page.hits.map((hit, n) => this.item(hit, first + n, most)));
    if (!this.hits.length) this.list.append(h('li', { class: 'bare' }, this.nothing(page)));
    if (this.state.in && !this.bar.contains(document.activeElement)) this.controls();
    put(this.after, page.more && h('button', { type: 'button', onclick: (event) => this.more(event.target) }, 'More hits'));
  }

  nothing(page) {
    const { state } = this;
    const filtered = state.lang || state.path || state.kind || state.scope !== 'all' || state.repo.length;
    const without = () => { Object.assign(state, { lang: '', path: '', kind: '', scope: 'all', repo: [] }); this.controls(); this.changed(); };
    const both = () => { state.mode = 'hybrid'; this.controls(); this.changed(); };
    return notice('empty', 'Nothing found',
      h('p', {}, `${page.nothing_because ?? 'nothing matches'}.`),
      h('p', { class: 'row' },
        filtered && h('button', { type: 'button', onclick: without }, 'Search without filters'),
        state.mode !== 'hybrid' && h('button', { type: 'button', onclick: both }, 'Search by words and meaning')));
  }

  item(hit, place, most) {
    // What is elsewhere can be read here, but what is like it is not known.
    const near = !this.state.in;
    const to = this.fileOf(hit);
    const body = h('div', { class: 'body' });
    const window = clipped(hit.snippet, hit.start_line, hit.best_lines, LINES);
    const draw = (part) => put(body,
      hit.snippet
        ? code({ ...part, tints: hit.tints, marked: new Set(hit.best_lines.slice(0, 3)), label: `${hit.path} lines ${part.first} and on`, link: (line) => this.fileOf(hit, line) })
        : h('p', { class: 'soft' }, 'The file has changed since; ask again.'),
      part.all && h('button', { type: 'button', class: 'quiet wide', onclick: () => draw({ text: hit.snippet, first: hit.start_line }) }, `Show all ${part.all} lines`));
    draw(window ?? { text: hit.snippet, first: hit.start_line });
    const similar = near && h('button', { type: 'button', class: 'quiet', onclick: () => this.like(hit) }, 'Similar');
    const holders = hit.repositories ?? [];
    const within = holders.length ? hit.path.slice(holders[0].length + 1) : hit.path;
    const title = [pathParts(within), h('span', { class: 'soft' }, `:${hit.start_line}–${hit.end_line}`)];
    const head = h('header', {},
      h('span', { class: 'place', 'aria-hidden': 'true' }, place + 1),
      holders.slice(0, 3).map((name) => h('span', { class: 'chip repository' }, name)),
      holders.length > 3 && h('span', { class: 'chip', title: holders.join(', ') }, `+${holders.length - 3}`),
      h('h2', {}, h('a', { href: to }, title)),
      h('span', { class: 'about' }, h('span', { class: 'chip' }, hit.kind), hit.symbol && h('code', { class: 'symbol' }, hit.symbol)),
      h('span', { class: 'actions' }, similar));
    return h('li', { class: 'hit', id: `hit-${place + 1}`, tabindex: '-1', 'data-path': hit.path, onclick: () => this.choose(place, false) },
      head, breakdown(hit, most, this.state), also(hit, this.state), body);
  }

  move(step) {
    const next = Math.max(0, Math.min(this.hits.length - 1, this.chosen + step));
    if (!this.hits.length) return false;
    if (step < 0 && this.chosen <= 0) {
      this.field.focus();
      this.choose(-1, false);
      return true;
    }
    this.choose(next, true);
    return true;
  }

  choose(place, focus) {
    for (const item of this.list.querySelectorAll('.hit.chosen')) item.classList.remove('chosen');
    this.chosen = place;
    this.state.hit = place >= 0 ? place + 1 : '';
    amend(this.address());
    const item = this.list.querySelectorAll('.hit')[place];
    if (!item) return;
    item.classList.add('chosen');
    if (focus) {
      item.focus({ preventScroll: true });
      item.scrollIntoView({ block: 'nearest' });
    }
  }

  open() {
    const hit = this.hits[this.chosen];
    if (hit) go(this.fileOf(hit));
    return Boolean(hit);
  }

  fileOf(hit, line) {
    return fileAddress(hit, this.state, line);
  }

  async edit() {
    const hit = this.hits[this.chosen];
    if (!hit || this.state.in) return false;
    const { editor } = await get('/api/file', { path: hit.path, limit: 1 });
    location.assign(editor.replace('{line}', hit.best_lines[0] ?? hit.start_line));
    return true;
  }

  like(hit) {
    if (!hit || this.state.in) return false;
    this.state.similar = `${hit.path}:${hit.start_line}`;
    amend(this.address());
    this.panelFromState();
    return true;
  }

  async panelFromState() {
    this.likening?.abort();
    const split = this.state.similar.lastIndexOf(':');
    this.panel.hidden = split < 0;
    this.main.classList.toggle('with-panel', split >= 0);
    if (split < 0) return;
    const mine = (this.likening = new AbortController());
    const [path, line] = [this.state.similar.slice(0, split), this.state.similar.slice(split + 1)];
    const head = h('header', {}, h('h2', {}, 'Similar code'),
      h('button', { type: 'button', class: 'quiet', onclick: () => this.close() }, 'Close'));
    put(this.panel, head, h('p', { class: 'soft small' }, 'like ', h('code', {}, `${path}:${line}`)), skeleton(2));
    try {
      const page = await get('/api/similar', { path, line, limit: 8, highlight: true }, mine.signal);
      const item = (hit) => h('li', {}, h('a', { href: this.fileOf(hit) }, pathParts(hit.path), h('span', { class: 'soft' }, `:${hit.start_line}`)),
        h('span', { class: 'chip' }, percent(hit.score)), hit.symbol && h('code', { class: 'symbol' }, hit.symbol),
        code({ ...(clipped(hit.snippet, hit.start_line, [], 6) ?? { text: hit.snippet, first: hit.start_line }), tints: hit.tints, label: hit.path }));
      const body = page.hits.length
        ? h('ol', { class: 'near' }, page.hits.map(item))
        : notice('empty', 'Nothing like it', h('p', {}, `${page.nothing_because ?? 'nothing is near'}.`));
      const kin = h('p', { class: 'small' });
      put(this.panel, head, h('p', { class: 'soft small' }, 'like ', h('code', {}, `${path}:${line}`)), kin, body);
      announce(`${page.hits.length} similar spans`);
      put(kin, group(await clusters(), path));
    } catch (problem) {
      if (problem.name !== 'AbortError') put(this.panel, head, failure(problem, () => this.panelFromState()));
    }
  }

  close() {
    if (document.activeElement === this.field) {
      this.field.blur();
      return true;
    }
    if (this.panel.hidden) return false;
    this.state.similar = '';
    amend(this.address());
    this.panelFromState();
    return true;
  }
}

/** The clusters of a tree, asked for once: to name them takes longer than a search. */
const overviews = {};
function clusters() {
  overviews[tree()] ??= get('/api/clusters', { limit: 200 }).catch(() => null);
  return overviews[tree()];
}

/** The cluster most of whose chunks lie where the file does. */
function group(overview, path) {
  const holds = (cluster) => cluster.central.some((it) => it.path === path) || cluster.within.some((it) => it.path === path);
  const found = overview?.clusters.find(holds);
  return found && ['Its group: ', h('b', {}, found.words.slice(0, 5).join(', ')), h('span', { class: 'soft' }, ` (${count(found.chunks)} chunks)`)];
}

function read(parameters) {
  const value = (name, otherwise = '') => parameters.get(name) ?? otherwise;
  return {
    q: value('q'), mode: value('mode', 'hybrid'), fusion: value('fusion', 'scores'), expand: value('expand') === '1',
    explain: value('explain') === '1', scope: value('scope', 'all'), lang: value('lang'), unit: value('unit', 'span'),
    path: value('path'), kind: value('kind'), similar: value('similar'), hit: value('hit'),
    in: value('in'), repo: parameters.getAll('repo'),
  };
}

function fileAddress(hit, { q, in: where }, line) {
  return address('file', { path: hit.path, line: line ?? hit.best_lines[0] ?? hit.start_line, from: hit.start_line, to: hit.end_line, q, in: where });
}

/** Where nearly the same text stands. */
function also(hit, { q, in: where }) {
  if (!hit.also_at?.length) return null;
  const to = (it) => address('file', { path: it.path, line: it.start_line, from: it.start_line, to: it.end_line, q, in: where });
  const place = (it) => h('a', { href: to(it) }, `${it.path}:${it.start_line}`);
  return h('p', { class: 'also small' }, 'Also at ', hit.also_at.slice(0, 6).flatMap((it, n) => (n ? [', ', place(it)] : [place(it)])),
    hit.also_at.length > 6 && ` and ${count(hit.also_at.length - 6)} more`);
}

/** The folder softly, the file's name in full. */
export function pathParts(path) {
  const cut = path.lastIndexOf('/') + 1;
  return [h('span', { class: 'soft' }, path.slice(0, cut)), path.slice(cut)];
}

/** The repositories with most files that may answer; one that is chosen leaves the others out. */
function facets(found, chosen, choose) {
  const rest = chosen.filter((name) => !found.some((it) => it.repository === name)).map((repository) => ({ repository, files: 0 }));
  const all = [...found, ...rest];
  const button = ({ repository, files }) => {
    const on = chosen.includes(repository);
    const others = chosen.filter((name) => name !== repository);
    return h('button', { type: 'button', class: 'facet', 'aria-pressed': String(on), onclick: () => choose(on ? others : [...chosen, repository]) },
      repository, h('b', {}, count(files)));
  };
  return [h('span', { class: 'soft small' }, chosen.length ? 'Only in' : 'Files that may answer'),
    all.slice(0, FACETS).map(button), all.length > FACETS && h('span', { class: 'soft small' }, `and ${count(all.length - FACETS)} more`)];
}

/** What each channel gave to the score, as a bar and in words. */
function breakdown(hit, most, { fusion, explain }) {
  const named = Object.entries(hit.channels).filter(([name]) => !name.includes('.'));
  const label = (name) => CHANNELS[name] ?? name;
  const whole = named.reduce((sum, [, it]) => sum + Math.abs(it.contribution), 0) || 1;
  const width = Math.max(4, (hit.score / most) * 100);
  const bar = h('span', { class: 'stack', 'aria-hidden': 'true' }, named.map(([name, it]) => {
    const part = h('i', { class: `channel-${name}`, title: `${label(name)}: ${percent(Math.abs(it.contribution) / whole)}` });
    part.style.width = `${(Math.abs(it.contribution) / whole) * width}%`;
    return part;
  }));
  const words = named.map(([name, it]) => h('span', { class: 'part' },
    h('i', { class: `dot channel-${name}` }), `${label(name)} `,
    h('b', {}, it.rank ? `#${it.rank}` : 'not listed'), ` ${percent(it.contribution)}`,
    fusion === 'ranks' && it.rank ? h('code', { class: 'rrf' }, `1/(60+${it.rank}) = ${(1 / (60 + it.rank)).toFixed(4)}`) : ''));
  return h('div', { class: 'why' }, bar,
    h('span', { class: 'score', title: 'Higher is better; comparable within one answer only' }, hit.score.toFixed(fusion === 'ranks' ? 4 : 2)),
    hit.confidence !== undefined && h('span', { class: 'soft', title: 'How likely the span is to answer' }, `${percent(hit.confidence)} sure`),
    hit.judged !== undefined && h('span', { class: 'soft', title: 'What the model says of question and span, read together' }, `judged ${hit.judged.toFixed(1)}`),
    h('span', { class: 'parts' }, words),
    explain && fields(hit));
}

/** What each field of the words' channel gave. */
function fields(hit) {
  const rows = Object.entries(hit.channels).filter(([name]) => name.startsWith('lexical.'));
  if (!rows.length) return h('p', { class: 'small soft' }, 'It holds no word of the question.');
  return h('table', { class: 'small' },
    h('caption', {}, 'What the words matched'),
    h('thead', {}, h('tr', {}, ['field', 'score', 'share'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, rows.map(([name, it]) => h('tr', {},
      h('th', { scope: 'row' }, name.slice(8)), h('td', {}, it.score.toFixed(2)), h('td', {}, percent(it.contribution))))));
}

function choice(label, name, value, options, set) {
  const option = ([key, text]) => h('label', {},
    h('input', { type: 'radio', name, value: key, checked: key === value, onchange: () => set(key) }), h('span', {}, text));
  return h('fieldset', { class: 'choice' }, h('legend', {}, label), h('div', {}, Object.entries(options).map(option)));
}

function toggle(label, title, value, set) {
  return h('label', { class: 'toggle', title }, h('span', {}, label),
    h('input', { type: 'checkbox', role: 'switch', checked: value, onchange: (event) => set(event.target.checked) }), h('i', {}));
}

function select(label, value, options, set) {
  const option = ([key, text]) => h('option', { value: key, selected: key === value }, text);
  return h('label', { class: 'field' }, h('span', {}, label),
    h('select', { onchange: (event) => set(event.target.value) }, Object.entries(options).map(option)));
}

function paths(value, set) {
  return h('label', { class: 'field grow' }, h('span', {}, 'Paths'),
    h('input', { type: 'text', value, placeholder: 'src  !*_test.py', spellcheck: 'false', onchange: (event) => set(event.target.value.trim()) }));
}
