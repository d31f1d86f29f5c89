// The shell: which view is shown, the theme, the help.

import { byId, failure, put, skeleton } from './dom.js';
import { get } from './api.js';
import { here, watch } from './route.js';
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
  for (const link of document.querySelectorAll('nav a')) {
    const isOn = link.dataset.view === view || (link.dataset.view === 'search' && ['landing', 'file'].includes(view));
    isOn ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current');
  }
  if (shown?.view === view && shown.update) {
    shown.update(parameters);
    return;
  }
  shown?.leave?.();
  const main = byId('main');
  main.className = `view-${view}`;
  document.title = wanted.title === 'wherein' ? 'wherein' : `${wanted.title} – wherein`;
  keys(null);
  const mine = (shown = { view });
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

async function tree() {
  const { root } = await get('/api/status', { skipped_limit: 0 });
  const label = byId('tree');
  label.textContent = root.split('/').filter(Boolean).pop() ?? root;
  label.title = root;
}

theme();
byId('help-button').addEventListener('click', () => byId('help').showModal());
watch(show);
show();
tree().catch(() => {});
