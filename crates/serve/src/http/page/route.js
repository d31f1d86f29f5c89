// Where we are: the address holds everything a view shows, so that a link shows it again.

const watchers = [];

/** The view and its parameters. */
export function here() {
  const view = location.pathname.slice(1) || 'landing';
  return { view, parameters: new URLSearchParams(location.search) };
}

/** The tree that is looked at, of several; empty for the first. */
export const tree = () => here().parameters.get('tree') ?? '';

/** An address for a view of the tree that is looked at; empty parameters are left out. */
export function address(view, parameters) {
  const search = new URLSearchParams();
  parameters = { tree: tree(), ...parameters };
  for (const [name, value] of Object.entries(parameters ?? {})) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '' && one !== false) search.append(name, one);
    }
  }
  const query = search.toString();
  return `/${view === 'landing' ? '' : view}${query ? `?${query}` : ''}`;
}

/** Goes there and shows it. */
export function go(to) {
  history.pushState(null, '', to);
  tell();
}

/** Changes the address of what is already shown. */
export function amend(to) {
  history.replaceState(null, '', to);
}

export function watch(watcher) {
  watchers.push(watcher);
}

function tell() {
  watchers.forEach((watcher) => watcher());
}

addEventListener('popstate', tell);

/** Links within the page do not load it again. */
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target) return;
  // In a drawing a link's address is no text.
  const to = new URL(link.getAttribute('href'), location.href);
  if (to.origin !== location.origin || to.pathname.startsWith('/api') || link.getAttribute('href').startsWith('#')) return;
  event.preventDefault();
  if (tree() && !to.searchParams.has('tree')) to.searchParams.set('tree', tree());
  go(to.pathname + to.search + to.hash);
});
