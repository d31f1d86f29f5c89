// The first view: the question, questions to start with, how good and how large it is.

import { get } from './api.js';
import { count, h, percent, put, things } from './dom.js';
import { address, go } from './route.js';

export async function show(main) {
  const field = h('input', {
    id: 'question', type: 'search', autocomplete: 'off', spellcheck: 'false', required: true,
    placeholder: 'where are failed uploads retried', 'aria-label': 'Question',
  });
  const form = h('form', { class: 'ask', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    if (field.value.trim()) go(address('search', { q: field.value.trim() }));
  } }, field, h('button', { type: 'submit' }, 'Search'));
  const below = h('div', { class: 'below' });
  put(main,
    h('section', { class: 'hero' },
      h('h1', {}, 'Find the place ', h('em', {}, 'wherein'), ' something happens'),
      h('p', { class: 'soft' }, 'Ask in plain words, with an identifier, or paste a piece of code.'),
      form),
    below);
  field.focus();
  const [status, runs] = await Promise.all([
    get('/api/status', { skipped_limit: 0 }),
    get('/api/eval/runs', { limit: 1 }).catch(() => ({ runs: [] })),
  ]);
  put(below, examples(status), figures(status, runs.runs[0]));
  if (!status.examples.length) later(below, runs.runs[0]).catch(() => {});
}

/** Looks again for a while: after the start of a server questions are still being compared. */
async function later(below, run) {
  for (let tries = 0; tries < 30; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    if (!below.isConnected) return;
    const status = await get('/api/status', { skipped_limit: 0 });
    if (status.examples.length) return put(below, examples(status), figures(status, run));
  }
}

function examples({ examples, activity }) {
  const card = (example) => h('li', {}, h('a', { class: 'example', href: address('search', { q: example.question }) },
    h('span', { class: 'words' }, example.question),
    h('span', { class: 'ranks' },
      h('span', { class: 'chip good' }, `with meaning: ${place(example.hybrid_rank)}`),
      h('span', { class: 'chip' }, `words alone: ${place(example.lexical_rank)}`))));
  const waits = ['waiting', 'running', 'paused'].includes(activity.encoding.state)
    ? 'Questions to start with appear when the tree has been encoded.'
    : 'No questions to start with yet: they are drawn from commit messages and documented code, where there are any, and compared.';
  return h('section', { class: 'examples', 'aria-labelledby': 'examples' },
    h('h2', { id: 'examples' }, 'Questions about this repository'),
    examples.length
      ? [h('p', { class: 'soft small' }, 'Drawn from its commits and documentation. The ranks are those of the file that answers.'),
        h('ul', { class: 'grid' }, examples.map(card))]
      : h('p', { class: 'soft' }, waits));
}

const place = (rank) => (rank ? `rank ${rank}` : 'not in 20');

function figures(status, run) {
  const indexed = status.indexed;
  const tiles = [];
  if (indexed) {
    const { files, chunks } = indexed.index;
    tiles.push(tile(count(files), 'files', address('index')), tile(count(chunks), 'chunks', address('index')));
    tiles.push(tile(chunks ? percent(indexed.with_vectors / chunks) : '–', 'searchable by meaning', address('index')));
  } else {
    tiles.push(tile('…', 'the first index is being made', address('index')));
  }
  if (run) {
    const wanted = ['mrr@10', 'ndcg@10', 'recall@10'];
    const shown = run.figures.filter((figure) => wanted.includes(figure.metric));
    const to = address('eval', { run: run.id });
    for (const figure of shown.length ? shown : [run.headline]) {
      tiles.push(tile(figure.mean.toFixed(3), name(figure.metric), to, `${figure.low.toFixed(3)} – ${figure.high.toFixed(3)}`));
    }
  }
  return h('section', { class: 'figures', 'aria-labelledby': 'figures' },
    h('h2', { id: 'figures' }, 'Figures'),
    h('ul', { class: 'tiles' }, tiles),
    run
      ? h('p', { class: 'soft small' }, `Last evaluation: ${run.settings.source}, ${run.settings.mode}, ${things(run.questions, 'question', 'questions')}, ${run.settings.date}, with 95 % intervals.`)
      : h('p', { class: 'soft small' }, 'No evaluation run is stored yet: ', h('code', {}, 'wherein eval self --out runs/first'), ' makes one from this repository.'));
}

const name = (metric) => metric.replace('mrr', 'MRR').replace('ndcg', 'NDCG').replace('recall', 'Recall');

function tile(value, label, to, more) {
  return h('li', {}, h('a', { class: 'tile', href: to }, h('b', {}, value), h('span', {}, label), more && h('small', {}, more)));
}
