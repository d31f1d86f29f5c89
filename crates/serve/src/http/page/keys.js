// Keys that work everywhere, and those of the view that is shown.

import { byId } from './dom.js';

let own = {};

/** The keys of the view: name → what it does. */
export function keys(view) {
  own = view ?? {};
}

const writes = (element) => element.matches?.('input:not([type=radio], [type=checkbox]), textarea, select');

addEventListener('keydown', (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]')) return;
  const field = document.getElementById('question');
  const writing = writes(event.target);
  if (event.key === '/' && !writing) {
    event.preventDefault();
    field ? (field.focus(), field.select()) : byId('main').querySelector('a, button')?.focus();
    return;
  }
  if (event.key === '?' && !writing) {
    event.preventDefault();
    byId('help').showModal();
    return;
  }
  if (writing && !['Escape', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
  if (writing && event.target !== field && event.key !== 'Escape') return;
  if (event.target.matches?.('input[type=radio]') && event.key.startsWith('Arrow')) return;
  if (event.key === 'Enter' && event.target.matches?.('a, button, summary, input')) return;
  if (own[event.key]?.(event)) event.preventDefault();
  else if (event.key === 'Escape') document.activeElement?.blur();
});
