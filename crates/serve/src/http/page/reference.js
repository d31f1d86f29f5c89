// The reference of the API, drawn from its own description.

import { get } from './api.js';
import { h, put } from './dom.js';

export async function show(main) {
  const api = await get('/api/openapi.json');
  const operations = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, it]) => ({ path, method, ...it })));
  const sections = api.tags.map((tag) => [tag, operations.filter((it) => it.tags?.includes(tag.name))]).filter(([, list]) => list.length);
  put(main,
    h('header', { class: 'page-head' }, h('h1', {}, 'API reference'), h('a', { class: 'button', href: '/api/openapi.json', target: '_blank', rel: 'noopener' }, 'OpenAPI document')),
    h('p', { class: 'soft' }, `Version ${api.info.version}. `, api.info.description),
    h('p', { class: 'soft' }, 'Failures are problem JSON: ', h('code', {}, 'status'), ', ', h('code', {}, 'code'), ', ', h('code', {}, 'title'), ', ', h('code', {}, 'detail'), ' and ', h('code', {}, 'advice'), '.'),
    sections.map(([tag, list]) => h('section', {}, h('h2', {}, tag.description), list.map((it) => operation(it, api)))),
    h('section', {}, h('h2', {}, 'Types'), Object.entries(api.components.schemas).map(([name, schema]) => type(name, schema))));
  return {};
}

function operation(it) {
  const rows = (it.parameters ?? []).map((parameter) => h('tr', {},
    h('th', { scope: 'row' }, h('code', {}, parameter.name), parameter.required ? h('small', { class: 'soft' }, ' required') : ''),
    h('td', {}, kind(parameter.schema)), h('td', {}, parameter.description ?? '')));
  const body = it.requestBody?.content?.['application/json']?.schema;
  const answers = Object.entries(it.responses ?? {}).map(([status, answer]) => {
    const [media, content] = Object.entries(answer.content ?? {})[0] ?? [];
    return h('li', {}, h('code', {}, status), ` ${answer.description}`, content && [': ', kind(content.schema), h('small', { class: 'soft' }, ` ${media}`)]);
  });
  return h('article', { class: 'operation' },
    h('h3', {}, h('span', { class: `method ${it.method}` }, it.method.toUpperCase()), ' ', h('code', {}, it.path)),
    h('p', {}, it.summary ?? it.description ?? ''),
    rows.length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Parameters of ${it.path}` }, h('table', {}, h('thead', {}, h('tr', {}, ['Parameter', 'Type', 'Meaning'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, rows))) : null,
    body && h('p', {}, 'Body: ', kind(body)),
    h('ul', {}, answers));
}

function type(name, schema) {
  const properties = Object.entries(collect(schema));
  const required = new Set(requiredOf(schema));
  return h('details', { id: `type-${name}`, class: 'type' }, h('summary', {}, h('code', {}, name), h('span', { class: 'soft' }, ` ${schema.description ?? ''}`)),
    properties.length
      ? h('ul', {}, properties.map(([key, it]) => h('li', {}, h('code', {}, key), required.has(key) ? ' ' : h('small', { class: 'soft' }, ' optional '), kind(it), it.description ? ` – ${it.description}` : '')))
      : h('p', {}, kind(schema)));
}

const parts = (schema) => schema.allOf ?? [schema];
const collect = (schema) => Object.assign({}, ...parts(schema).map((part) => part.properties ?? {}));
const requiredOf = (schema) => parts(schema).flatMap((part) => part.required ?? []);

function kind(schema) {
  if (!schema) return '';
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    return h('a', { href: `#type-${name}`, onclick: () => document.getElementById(`type-${name}`)?.setAttribute('open', '') }, name);
  }
  if (schema.oneOf ?? schema.anyOf) return join((schema.oneOf ?? schema.anyOf).map(kind), ' or ');
  if (schema.allOf) return join(schema.allOf.map(kind), ' and ');
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.type === 'array') return ['list of ', kind(schema.items)];
  const bounds = [schema.minimum ?? schema.minLength, schema.maximum ?? schema.maxLength].filter((bound) => bound !== undefined).join(' to ');
  return [[schema.type].flat().join(' or '), bounds && ` (${bounds})`, schema.default !== undefined && `, ${schema.default} unless given`].filter(Boolean).join('');
}

const join = (items, between) => items.flatMap((item, n) => (n ? [between, item] : [item]));
