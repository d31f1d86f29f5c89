// Which file imports which: around one file, or among the most central ones. A drawing to pan and
// zoom, and the same as a list.

import { get } from './api.js';
import { announce, h, notice, put, s, things } from './dom.js';
import { keys } from './keys.js';
import { address } from './route.js';

const MOST = 60;

export async function show(main, parameters) {
  const path = parameters.get('path') ?? '';
  const depth = Number(parameters.get('depth')) || 1;
  const graph = await get('/api/graph', { path, depth, limit: MOST });
  draw(main, graph, path, depth);
  scrollTo(0, 0);
  return { update: (changed) => show(main, changed) };
}

function draw(main, graph, path, depth) {
  const title = path ? `Imports around ${path}` : 'The most central files';
  const step = (number) => h('a', { class: 'button', href: address('graph', { path, depth: number }), 'aria-current': number === depth && 'true' }, things(number, 'step', 'steps'));
  put(main,
    h('header', { class: 'page-head' }, h('h1', {}, title),
      path && h('p', { class: 'row' }, [1, 2, 3].map(step), h('a', { class: 'button', href: address('file', { path }) }, 'Open the file'), h('a', { class: 'button', href: '/graph' }, 'Whole tree'))),
    h('p', { class: 'soft small' }, `${things(graph.nodes.length, 'file', 'files')}, ${things(graph.edges.length, 'import', 'imports')} between them`, graph.left_out > 0 && `, ${things(graph.left_out, 'file', 'files')} left out`, '. The larger a file, the more leads to it.'),
    graph.nodes.length ? [picture(graph, path), list(graph)] : notice('empty', 'Nothing is connected', h('p', {}, 'No two files of code import one another here.')));
  document.title = `${title} – wherein`;
  announce(`${title}: ${graph.nodes.length} files`);
  keys({});
}

const [WIDE, HIGH] = [1700, 1000];

/** Where each file stands: the one asked about in the middle, what imports it on the left, what it imports on the right. */
function places(graph, path) {
  const centre = path ? 0 : -1;
  const ring = (turn) => ({ x: WIDE / 2 + Math.cos(turn) * WIDE * 0.31, y: HIGH / 2 + Math.sin(turn) * HIGH * 0.31, turn });
  if (centre < 0) {
    const order = graph.nodes.map((node, n) => n).sort((a, b) => graph.nodes[a].path.localeCompare(graph.nodes[b].path));
    const spots = [];
    order.forEach((node, n) => { spots[node] = ring((n / order.length) * 2 * Math.PI); });
    return spots;
  }
  const steps = distances(graph);
  const leads = new Set(graph.edges.filter(([, to]) => to === 0).map(([from]) => from));
  const columns = new Map();
  graph.nodes.forEach((node, n) => {
    const side = n === 0 ? 0 : (leads.has(n) || (steps[n] > 1 && firstOf(graph, n, steps).some((it) => leads.has(it))) ? -1 : 1);
    const column = side * (n === 0 ? 0 : Math.min(steps[n], 3));
    columns.set(column, [...(columns.get(column) ?? []), n]);
  });
  const widest = Math.max(1, ...[...columns.keys()].map(Math.abs));
  const spots = [];
  for (const [column, nodes] of columns) {
    nodes.forEach((node, n) => {
      spots[node] = { x: WIDE / 2 + (column / widest) * WIDE * 0.36, y: ((n + 1) / (nodes.length + 1)) * HIGH };
    });
  }
  return spots;
}

/** Steps from the first file, whichever way imports go. */
function distances(graph) {
  const steps = [0];
  for (let at = [0]; at.length;) {
    const next = [];
    for (const [from, to] of graph.edges) {
      for (const [a, b] of [[from, to], [to, from]]) {
        if (at.includes(a) && steps[b] === undefined) {
          steps[b] = steps[a] + 1;
          next.push(b);
        }
      }
    }
    at = next;
  }
  return graph.nodes.map((node, n) => steps[n] ?? 3);
}

const firstOf = (graph, n, steps) => graph.edges.flatMap(([a, b]) => (a === n ? [b] : b === n ? [a] : [])).filter((it) => steps[it] === steps[n] - 1);

/** Outward from a circle, so that neighbours do not meet; below a file elsewhere. */
function label({ x, y, turn }, radius, text) {
  if (turn === undefined) return s('text', { x, y: y + radius + 18, 'text-anchor': 'middle' }, text);
  const degrees = (Math.atan2(Math.sin(turn), Math.cos(turn)) * 180) / Math.PI;
  const isLeft = Math.abs(degrees) > 90;
  const gap = isLeft ? -radius - 6 : radius + 6;
  return s('text', { transform: `translate(${x} ${y}) rotate(${isLeft ? degrees + 180 : degrees})`, x: gap, y: 6, 'text-anchor': isLeft ? 'end' : 'start' }, text);
}

function picture(graph, path) {
  const spots = places(graph, path);
  const most = Math.max(...graph.nodes.map((node) => node.rank), 1e-9);
  const radius = (node) => 5 + 17 * Math.sqrt(node.rank / most);
  const edge = ([from, to]) => {
    const [a, b] = [spots[from], spots[to]];
    // Two in one column: around what stands between them.
    const bend = a.x === b.x ? a.x + Math.sign(a.x - WIDE / 2 || 1) * (60 + Math.abs(a.y - b.y) / 4) : (a.x + b.x) / 2;
    return s('path', { d: `M${a.x} ${a.y}C${bend} ${a.y} ${bend} ${b.y} ${b.x} ${b.y}`, class: from === 0 || to === 0 ? 'edge near' : 'edge', 'marker-end': 'url(#arrow)' });
  };
  const node = (it, n) => s('a', { href: address('graph', { path: it.path }), class: path && n === 0 ? 'node here' : 'node', 'aria-label': it.path },
    s('circle', { cx: spots[n].x, cy: spots[n].y, r: radius(it) }, s('title', {}, it.path)),
    label(spots[n], radius(it), it.path.split('/').slice(-2).join('/')));
  const drawing = s('svg', { role: 'group', 'aria-label': 'Files and the imports between them' },
    s('defs', {}, s('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: '14', refY: '4', markerWidth: '7', markerHeight: '7', orient: 'auto' }, s('path', { d: 'M0 0L8 4L0 8z', class: 'head' }))),
    graph.edges.map(edge), graph.nodes.map(node));
  const window = new Window(drawing);
  const button = (label, text, act) => h('button', { type: 'button', 'aria-label': label, onclick: act }, text);
  return h('section', { class: 'picture', 'aria-label': 'Drawing' },
    h('p', { class: 'row' }, button('Zoom in', '+', () => window.zoom(0.8)), button('Zoom out', '−', () => window.zoom(1.25)), button('Show all', 'All', () => window.reset()),
      h('span', { class: 'soft small' }, 'Drag to move, scroll to zoom; with the keyboard the arrows, + and −.')),
    h('div', { class: 'canvas', tabindex: '0', role: 'region', 'aria-label': 'Drawing, movable by arrow keys', onkeydown: (event) => window.key(event) }, drawing));
}

/** The part of the drawing that is seen. */
class Window {
  constructor(drawing) {
    this.drawing = drawing;
    this.reset();
    let held = null;
    drawing.addEventListener('pointerdown', (event) => { held = { x: event.clientX, y: event.clientY, moved: false }; });
    drawing.addEventListener('pointermove', (event) => {
      if (!held || event.buttons === 0) { held = null; return; }
      const scale = Math.max(this.size / drawing.clientWidth, (this.size * HIGH) / WIDE / drawing.clientHeight);
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.moved && Math.hypot(dx, dy) < 4) return;
      this.move(-dx * scale, -dy * scale);
      held = { x: event.clientX, y: event.clientY, moved: true };
      this.dragged = true;
    });
    // A drag that ends on a file does not open it.
    drawing.addEventListener('click', (event) => { if (this.dragged) event.preventDefault(); this.dragged = false; });
    drawing.addEventListener('dragstart', (event) => event.preventDefault());
    drawing.addEventListener('wheel', (event) => { event.preventDefault(); this.zoom(event.deltaY > 0 ? 1.12 : 0.89); }, { passive: false });
  }

  reset() {
    [this.x, this.y, this.size] = [0, 0, WIDE];
    this.apply();
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.apply();
  }

  zoom(factor) {
    const size = Math.min(3 * WIDE, Math.max(WIDE / 20, this.size * factor));
    this.x += (this.size - size) / 2;
    this.y += ((this.size - size) * HIGH) / WIDE / 2;
    this.size = size;
    this.apply();
  }

  apply() {
    this.drawing.setAttribute('viewBox', `${this.x} ${this.y} ${this.size} ${(this.size * HIGH) / WIDE}`);
  }

  key(event) {
    const step = this.size / 10;
    const act = { ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0), ArrowUp: () => this.move(0, -step), ArrowDown: () => this.move(0, step), '+': () => this.zoom(0.8), '=': () => this.zoom(0.8), '-': () => this.zoom(1.25), 0: () => this.reset() }[event.key];
    if (!act || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    act();
  }
}

function list(graph) {
  const imports = graph.nodes.map(() => 0);
  const importers = graph.nodes.map(() => 0);
  for (const [from, to] of graph.edges) {
    imports[from] += 1;
    importers[to] += 1;
  }
  const row = (node, n) => h('tr', {},
    h('th', { scope: 'row' }, h('a', { href: address('file', { path: node.path }) }, node.path)),
    h('td', {}, node.language), h('td', { class: 'number' }, imports[n]), h('td', { class: 'number' }, importers[n]), h('td', { class: 'number' }, node.rank.toFixed(4)),
    h('td', {}, h('a', { href: address('graph', { path: node.path }) }, 'around it')));
  return h('section', {}, h('h2', {}, 'The same as a list'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Files' },
      h('table', {}, h('thead', {}, h('tr', {}, ['File', 'Language', 'Imports', 'Imported by', 'PageRank', 'Graph'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, graph.nodes.map(row)))),
    graph.horizon.notes.length > 0 && h('p', { class: 'small soft' }, `Not seen: ${graph.horizon.notes.join('; ')}.`));
}
