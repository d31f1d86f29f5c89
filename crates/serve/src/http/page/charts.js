// Drawings of figures. Every one stands beside a table or names its numbers, so none is needed to
// read the page.

import { h, s } from './dom.js';

export const colour = (place) => `run-${place % 8}`;

/** axes: names; series: [{ label, values: [0..1 or null] }] */
export function radar(axes, series) {
  const [size, centre, radius] = [340, 170, 130];
  const point = (axis, share) => {
    const angle = (axis / axes.length) * 2 * Math.PI - Math.PI / 2;
    return [centre + Math.cos(angle) * radius * share, centre + Math.sin(angle) * radius * share];
  };
  const shape = (shares) => shares.map((share, axis) => point(axis, share).map((x) => x.toFixed(1)).join(',')).join(' ');
  const rings = [0.25, 0.5, 0.75, 1].map((share) => s('polygon', { class: 'ring', points: shape(axes.map(() => share)) }));
  const ticks = [0.5].map((share) => {
    const [x, y] = point(0, share);
    return s('text', { class: 'tick', x: x + 4, y: y - 2 }, share.toFixed(1));
  });
  const spokes = axes.map((_, axis) => {
    const [x, y] = point(axis, 1);
    return s('line', { class: 'ring', x1: centre, y1: centre, x2: x, y2: y });
  });
  const names = axes.map((name, axis) => {
    const [x, y] = point(axis, 1.16);
    const anchor = Math.abs(x - centre) < 12 ? 'middle' : x > centre ? 'start' : 'end';
    return s('text', { x: clamp(x, 4, size - 4), y: y + 4, 'text-anchor': anchor }, name);
  });
  const shapes = series.map((one, place) => s('g', { class: `${colour(place)} dash-${place % 3}` },
    s('polygon', { class: 'mark', points: shape(one.values.map((value) => clamp(value ?? 0, 0, 1))) }),
    one.values.map((value, axis) => {
      const [x, y] = point(axis, clamp(value ?? 0, 0, 1));
      return s('circle', { class: 'spot', cx: x, cy: y, r: 3.5 });
    })));
  const described = series.map((one) => `${one.label}: ${axes.map((name, axis) => `${name} ${figure(one.values[axis])}`).join(', ')}`).join('; ');
  return s('svg', { viewBox: `-40 0 ${size + 80} ${Math.max(...axes.map((_, axis) => point(axis, 1)[1])) + 34}`, role: 'img', 'aria-label': `Radar chart. ${described}`, class: 'radar' },
    rings, spokes, ticks, shapes, names);
}

/** rows: [{ label, value, low, high, note }] on a scale from 0 to `most`. */
export function bars(rows, most) {
  const row = ({ label, value, low, high, note }) => {
    const fill = h('i', { class: 'bar-fill' });
    fill.style.width = `${share(value, most)}%`;
    const interval = low !== undefined && h('i', { class: 'bar-interval' });
    if (interval) {
      interval.style.left = `${share(low, most)}%`;
      interval.style.width = `${Math.max(0.5, share(high, most) - share(low, most))}%`;
    }
    return h('li', {}, h('span', {}, label), h('span', { class: 'bar-track', 'aria-hidden': 'true' }, fill, interval),
      h('span', { class: 'number' }, figure(value), note && h('small', { class: 'soft' }, ` ${note}`)));
  };
  return h('ul', { class: 'bars' }, rows.map(row));
}

/** An interval of a difference, on a scale from -most to most. */
export function interval({ mean, low, high }, most) {
  const at = (value) => 60 + (clamp(value, -most, most) / (most || 1)) * 56;
  return s('svg', { viewBox: '0 0 120 16', width: 120, height: 16, 'aria-hidden': 'true', class: 'interval' },
    s('line', { class: 'ring', x1: 60, x2: 60, y1: 0, y2: 16 }),
    s('line', { class: 'whisker', x1: at(low), x2: at(high), y1: 8, y2: 8 }),
    s('circle', { class: 'spot', cx: at(mean), cy: 8, r: 3.5 }));
}

export function legend(series) {
  return h('ul', { class: 'legend' }, series.map((one, place) => h('li', {}, h('i', { class: `swatch ${colour(place)}` }), one.label)));
}

export const figure = (value) => (value === null || value === undefined ? '–' : value.toFixed(3));

const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
const share = (value, most) => clamp((value / (most || 1)) * 100, 0, 100);
