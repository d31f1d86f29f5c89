// The shell: which view is shown, the theme, the help.

import { byId, failure, h, put, skeleton } from './dom.js';
import { get } from './api.js';
import { address, go, here, tree, watch } from './route.js';
import { keys } from './keys.js';

const views = {
  landing: { title: 'wherein', load: () => import('./landing.js') },
  search: { title: 'Search', load: () => import('./results.js') },
  file: { title: 'File', load: () => import('./file.js') },
  graph: { title: 'Graph', load: () => import('./graph.js') },
  index: { title: 'Index', load: () => import('./index.js') },
  eval: { title: 'Evaluation', load: () => import('./eval.js') },
  reference: { title: 'API', load: () => import('./reference.js') },
};

let shown = null;

async function show() {
  const { view, parameters } = here();
  const wanted = views[view] ?? views.landing;
  for (const link of document.querySelectorAll('nav a[data-view]')) {
    const isOn = link.dataset.view === view || (link.dataset.view === 'search' && ['landing', 'file'].includes(view));
    isOn ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current');
    link.href = address(link.dataset.view);
  }
  if (shown?.view === view && shown.tree === tree() && shown.update) {
    shown.update(parameters);
    return;
  }
  shown?.leave?.();
  const main = byId('main');
  main.className = `view-${view}`;
  document.title = wanted.title === 'wherein' ? 'wherein' : `${wanted.title} – wherein`;
  keys(null);
  const mine = (shown = { view, tree: tree() });
  const module = await wanted.load();
  if (shown !== mine) return;
  put(main, skeleton(2));
  scrollTo(0, 0);
  try {
    Object.assign(mine, await module.show(main, parameters));
  } catch (problem) {
    if (problem.name !== 'AbortError') put(main, failure(problem, () => { shown = null; show(); }));
  }
}

function theme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const now = () => document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light');
  const known = localStorage.getItem('theme');
  if (known) document.documentElement.dataset.theme = known;
  byId('theme').addEventListener('click', () => {
    const next = now() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    localStorage.setItem('theme', next);
  });
}

/** Names the tree, or lets one choose among several. */
async function trees() {
  const { root, served } = await get('/api/status', { skipped_limit: 0 });
  const place = byId('tree');
  place.title = root;
  if (served.length === 1) {
    place.textContent = root.split('/').filter(Boolean).pop() ?? root;
    return;
  }
  const option = (it) => h('option', { value: it.label, selected: it.root === root }, it.label);
  const choice = h('select', { id: 'choose-tree', 'aria-label': 'Repository', onchange: () => choose(choice.value) }, served.map(option));
  put(place, choice);
  watch(() => { choice.value = tree() || served[0].label; });
}

/** The same view of another tree; what stands in a file of this one is left behind. */
function choose(label) {
  const { view, parameters } = here();
  go(address(view === 'file' ? 'search' : view, { q: parameters.get('q'), tree: label }));
}

theme();
byId('help-button').addEventListener('click', () => byId('help').showModal());
watch(show);
show();
trees().catch(() => {});
