// Evaluation runs: how good, how fast, where it fails, and whether one run beats another.

import { get } from './api.js';
import { bars, figure, interval, legend, radar } from './charts.js';
import { announce, count, duration, failure, h, notice, put, skeleton, things } from './dom.js';
import { address, amend } from './route.js';

const PROFILE = ['mrr@10', 'ndcg@10', 'recall@10'];
const MOST_VALUES = 24;

export async function show(main, parameters) {
  const { runs, folder, total, unreadable } = await get('/api/eval/runs', { limit: 200 });
  const head = h('header', { class: 'page-head' }, h('h1', {}, 'Evaluation'));
  if (!runs.length) {
    put(main, head, notice('empty', 'No run is stored yet',
      h('p', {}, 'Make one from this repository’s own documentation, commits and tests:'),
      h('pre', {}, h('code', {}, `wherein eval self --out ${folder}/first`)),
      unreadable.map((why) => h('p', { class: 'small soft' }, why))));
    return {};
  }
  const view = new Dashboard(main, head, runs, total);
  await view.choose(parameters.get('run') ?? runs[0].id, parameters.get('with') ?? '');
  return { update: (changed) => view.choose(changed.get('run') ?? runs[0].id, changed.get('with') ?? '') };
}

class Dashboard {
  constructor(main, head, runs, total) {
    Object.assign(this, { main, runs });
    this.detail = h('div', { class: 'detail' });
    this.table = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Runs' });
    put(main, head, h('section', { 'aria-labelledby': 'runs' }, h('h2', { id: 'runs' }, things(total, 'run', 'runs')), this.table), this.detail);
  }

  async choose(id, other) {
    this.id = id;
    this.other = other;
    amend(address('eval', { run: id, with: other }));
    this.list();
    put(this.detail, skeleton(2));
    try {
      const run = await get(`/api/eval/runs/${encodeURIComponent(id)}`);
      this.draw(run);
      announce(`Run ${id}`);
    } catch (problem) {
      put(this.detail, failure(problem, () => this.choose(id, other)));
    }
  }

  list() {
    const row = (run) => h('tr', { 'aria-current': run.id === this.id ? 'true' : undefined },
      h('th', { scope: 'row' }, h('a', { href: address('eval', { run: run.id }) }, run.id.replaceAll('~', ' / '))),
      h('td', {}, run.settings.mode), h('td', {}, run.settings.protocol), h('td', {}, run.settings.tool), h('td', { class: 'number' }, count(run.questions)),
      h('td', { class: 'number' }, `${figure(run.headline.mean)} `, h('small', { class: 'soft' }, run.headline.metric)),
      h('td', { class: 'number' }, duration(run.latency.p50_ms)), h('td', {}, run.settings.date));
    const heads = ['Run', 'Mode', 'Protocol', 'Tool', 'Questions', 'Headline', 'p50', 'Date'];
    put(this.table, h('table', {}, h('thead', {}, h('tr', {}, heads.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, this.runs.map(row))));
  }

  draw(run) {
    const { settings, summary } = run;
    put(this.detail,
      h('section', { class: 'run-head' },
        h('h2', {}, `${settings.source}, ${settings.mode}`),
        h('p', { class: 'soft small' }, `${settings.tool} ${settings.version} (${settings.build}), ${settings.machine}, ${settings.date}; ${things(summary.questions, 'question', 'questions')}`)),
      h('div', { class: 'halves' },
        h('section', {}, h('h3', {}, 'By mode'), this.profile(run)),
        h('section', {}, h('h3', {}, 'Every metric'), figures(summary), this.latency(run))),
      this.axes(summary),
      this.comparison(run),
      worst(run),
      summary.notes.length ? h('section', {}, h('h3', {}, 'Notes'), h('ul', {}, summary.notes.map((note) => h('li', {}, note)))) : null);
  }

  /** The newest run of each mode over the same questions. */
  family({ settings }) {
    const same = (run) => run.settings.protocol === settings.protocol && run.settings.source === settings.source;
    const kind = (run) => `${run.settings.tool === 'wherein' ? '' : `${run.settings.tool} `}${run.settings.mode}`;
    const found = new Map();
    for (const run of this.runs.filter(same)) if (!found.has(kind(run)) || run.id === this.id) found.set(kind(run), run);
    return [...found].map(([label, run]) => ({ label, run }));
  }

  profile(run) {
    const family = this.family(run);
    const value = (one, metric) => one.run.figures.find((it) => it.metric === metric)?.mean ?? null;
    const known = (metric) => family.some((one) => value(one, metric) !== null);
    let axes = PROFILE.filter(known);
    if (axes.length < 3) axes = run.summary.over_questions.map((it) => it.metric).filter((metric) => metric !== 'length' && metric !== 'points').slice(0, 6);
    const series = family.map((one) => ({ label: one.label, values: axes.map((metric) => value(one, metric)) }));
    const rows = series.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.label), one.values.map((it) => h('td', { class: 'number' }, figure(it)))));
    return [
      axes.length >= 3 ? radar(axes, series) : h('p', { class: 'soft' }, 'Too few shares to draw.'),
      legend(series),
      h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Mode'), axes.map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, rows)),
    ];
  }

  latency(run) {
    const rows = this.family(run).map((one) => ({ label: one.label, ...one.run.latency }));
    const most = Math.max(...rows.map((row) => row.p95_ms));
    const bar = (name) => bars(rows.map((row) => ({ label: row.label, value: row[name] })), most);
    const alone = run.summary.latency.alone ? 'questions asked one at a time' : 'questions asked side by side, so they waited for each other';
    return [h('h3', {}, 'Latency in ms'), h('p', { class: 'soft small' }, alone), h('h4', {}, 'p50'), bar('p50_ms'), h('h4', {}, 'p95'), bar('p95_ms')];
  }

  axes(summary) {
    const metric = summary.headline.metric;
    const axis = ({ name, values }) => {
      const all = Object.entries(values).map(([label, figures]) => ({ label, it: figures.find((one) => one.metric === metric) })).filter(({ it }) => it);
      const rows = all.sort((a, b) => b.it.mean - a.it.mean).map(({ label, it }) => ({ label, value: it.mean, low: it.low, high: it.high, note: `n=${it.questions}` }));
      const shown = rows.slice(0, MOST_VALUES);
      return h('section', {}, h('h3', {}, `By ${name}`), h('p', { class: 'soft small' }, `${metric}, with 95 % intervals`), bars(shown, 1),
        rows.length > shown.length && h('details', {}, h('summary', {}, `${rows.length - shown.length} more`), bars(rows.slice(MOST_VALUES), 1)));
    };
    return summary.by.length ? h('div', { class: 'halves' }, summary.by.map(axis)) : null;
  }

  comparison(run) {
    const others = this.runs.filter((other) => other.id !== run.id && other.settings.protocol === run.settings.protocol);
    const box = h('div', { class: 'compared' });
    const options = [h('option', { value: '' }, 'choose a run'), ...others.map((other) => h('option', { value: other.id, selected: other.id === this.other }, `${other.id.replaceAll('~', ' / ')} (${other.settings.mode})`))];
    const compare = async (id) => {
      this.other = id;
      amend(address('eval', { run: run.id, with: id }));
      if (!id) return put(box);
      put(box, skeleton(1));
      try {
        return put(box, differences(await get('/api/eval/compare', { a: id, b: run.id })));
      } catch (problem) {
        return put(box, failure(problem));
      }
    };
    if (this.other) compare(this.other);
    return h('section', {}, h('h3', {}, 'Compared with another run'),
      others.length
        ? h('label', { class: 'field' }, h('span', {}, 'This run against'), h('select', { id: 'compare', onchange: (event) => compare(event.target.value) }, options))
        : h('p', { class: 'soft' }, 'There is no other run of this protocol.'),
      box);
  }
}

function figures(summary) {
  const rows = (summary.mean_over === 'groups' ? summary.over_groups : summary.over_questions).map((it) => h('tr', { 'aria-current': it.metric === summary.headline.metric ? 'true' : undefined },
    h('th', { scope: 'row' }, it.metric), h('td', { class: 'number' }, h('b', {}, figure(it.mean))), h('td', { class: 'number soft' }, `${figure(it.low)} – ${figure(it.high)}`)));
  return h('table', {}, h('thead', {}, h('tr', {}, ['Metric', 'Mean', '95 % interval'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, rows));
}

function differences({ differences, paired, settings, moved, headline }) {
  const shares = differences.filter((it) => it.metric !== 'length');
  const most = Math.max(...shares.map((it) => Math.max(Math.abs(it.difference.low), Math.abs(it.difference.high))), 0.01);
  const row = (it) => h('tr', {}, h('th', { scope: 'row' }, it.metric), h('td', { class: 'number' }, figure(it.a)), h('td', { class: 'number' }, figure(it.b)),
    h('td', { class: 'number' }, `${it.difference.mean >= 0 ? '+' : '−'}${figure(Math.abs(it.difference.mean))}`),
    h('td', {}, it.metric === 'length' ? '' : interval(it.difference, most)), h('td', {}, h('span', { class: `chip ${it.verdict}` }, it.verdict)));
  const place = (rank) => rank ?? 'none';
  return [
    h('p', { class: 'soft small' }, `${things(paired, 'question', 'questions')} in both. `, settings.length ? `Set differently: ${settings.join('; ')}.` : 'Set alike.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Differences' }, h('table', {}, h('thead', {}, h('tr', {}, ['Metric', 'Other', 'This', 'Difference', '95 % interval', 'Verdict'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, differences.map(row)))),
    moved.length ? h('details', {}, h('summary', {}, `Questions that moved most by ${headline}`),
      h('ul', {}, moved.map((it) => h('li', {}, it.query.slice(0, 200), h('span', { class: 'soft' }, ` first right: ${place(it.rank_a)} → ${place(it.rank_b)}`))))) : null,
  ];
}

function worst({ worst, settings }) {
  const list = (label, places) => [h('h4', {}, label), places.length ? h('ol', {}, places.slice(0, 6).map((place) => h('li', {}, h('code', {}, place)))) : h('p', { class: 'soft' }, 'nothing')];
  const card = (it) => h('details', { class: 'worst' },
    h('summary', {}, h('span', { class: 'chip' }, figure(it.value)), ' ', it.query.length > 160 ? `${it.query.slice(0, 160)}…` : it.query, h('small', { class: 'soft' }, ` ${it.group}`)),
    h('div', { class: 'halves' }, h('div', {}, list('Expected', it.expected)), h('div', {}, list('Came instead', it.returned))));
  return h('section', {}, h('h3', {}, 'Worst questions'), h('p', { class: 'soft small' }, `By ${settings.headline}, worst first.`), worst.map(card));
}
