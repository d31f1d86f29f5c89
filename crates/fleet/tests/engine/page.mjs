// The web page over a fleet, in a real browser: `node page.mjs repositories|partial|token`.
//
// CHROMIUM and MODULES are the browser and the libraries of the page's own suite, ADDRESS the server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { ADDRESS, CHROMIUM, MODULES, UPDATE_EXPECTED } = process.env;
const require = createRequire(join(MODULES, 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const docs = join(dirname(fileURLToPath(import.meta.url)), '../../../../docs/screenshots');
const shots = UPDATE_EXPECTED ? docs : MODULES;
const QUESTION = 'throw the oldest entries out when memory is full';

const settled = (page) => page.waitForFunction(() => document.querySelector('.hit') && !document.querySelector('.hits[aria-busy]'));
const holders = (page) => page.locator('.hit .repository').allTextContents();

async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
  const serious = violations.filter((it) => ['serious', 'critical'].includes(it.impact));
  assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes[0].target} ${it.nodes[0].failureSummary}`), []);
}

/** From a question to one tree to all repositories, to one of them, and back by the address. */
async function repositories(page) {
  await page.goto(`${ADDRESS}/search?q=${encodeURIComponent(QUESTION)}`);
  await settled(page);
  assert.deepEqual(await holders(page), [], 'one tree has no labels');
  await page.locator('.choice label', { hasText: /^all repositories$/ }).click();
  await page.waitForURL(/in=fleet/);
  await page.locator('.facet').first().waitFor();
  await settled(page);
  const everywhere = await holders(page);
  assert.ok(everywhere.length >= 10, 'every hit is labelled');
  assert.ok((await page.locator('.facet').count()) > 1, 'several repositories may answer');
  assert.match(await page.locator('.count').textContent(), /from [\d,]+ files of \d+ repositories/);
  assert.ok((await page.locator('.t4').count()) >= 1, 'code is tinted');
  assert.equal(await page.locator('.hit .actions button').count(), 0, 'what is like a hit is known of served trees only');
  await accessible(page);
  await page.screenshot({ path: join(shots, 'fleet.jpg'), type: 'jpeg', quality: 68 });
  await opened(page);
  const facet = page.locator('.facet').nth(1);
  const chosen = (await facet.textContent()).replace(/[\d,]+$/, '');
  await facet.click();
  await page.waitForURL(/repo=/);
  await page.locator('.facet[aria-pressed=true]', { hasText: chosen }).waitFor();
  await settled(page);
  assert.deepEqual([...new Set(await holders(page))], [chosen]);
  await page.reload();
  await settled(page);
  assert.deepEqual([...new Set(await holders(page))], [chosen], 'the address says it all');
  await page.locator('.facet[aria-pressed=true]').click();
  await page.waitForFunction((one) => [...document.querySelectorAll('.hit .repository')].some((it) => it.textContent !== one), chosen);
  await page.locator('.choice label', { hasText: /^this tree$/ }).click();
  await page.waitForFunction(() => document.querySelector('.hit h2 a') && !document.querySelector('.hit .repository'));
  assert.ok(!/in=fleet|repo=/.test(page.url()), page.url());
}

/** A hit opens its file at its lines, with the outline; from there back to the hits. */
async function opened(page) {
  const hit = page.locator('.hit').first();
  const [path, repository] = [await hit.getAttribute('data-path'), await hit.locator('.repository').first().textContent()];
  await hit.locator('h2 a').click();
  await page.waitForURL(/file\?.*in=fleet/);
  await page.locator('.source .line.marked').first().waitFor();
  assert.equal(await page.locator('h1').textContent(), repository + path.slice(repository.length + 1));
  assert.equal(await page.locator('h1 .repository').textContent(), repository);
  assert.ok((await page.locator('.t4').count()) >= 1, 'code is tinted');
  const buttons = await page.locator('.file-head .row > *').allTextContents();
  assert.deepEqual(buttons, ['Copy path'], 'nothing that only a served tree knows');
  await accessible(page);
  await page.locator('.outline a').first().click();
  await page.waitForURL(/in=fleet/);
  await page.reload();
  await page.locator('.source .line.marked').first().waitFor();
  await page.locator('.crumbs a').click();
  await page.waitForURL(/search\?.*in=fleet/);
  await page.locator('.facet').first().waitFor();
  await settled(page);
}

/** What could not be searched is said above the hits. */
async function partial(page) {
  await page.goto(`${ADDRESS}/search?in=fleet&q=${encodeURIComponent(QUESTION)}`);
  await page.locator('.warning', { hasText: 'Not everything was searched, so hits may be missing' }).waitFor();
  await accessible(page);
}

/** A token is asked for, a wrong one again; who gives none is told, and its repositories are all one sees. */
async function token(page) {
  const dialog = page.locator('#token[open]');
  await page.goto(`${ADDRESS}/search?in=fleet&q=${encodeURIComponent(QUESTION)}`);
  await dialog.waitFor();
  await accessible(page);
  await page.keyboard.press('Escape');
  await page.getByText('fleet_token_needed').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('#token-field').fill('guess');
  await page.keyboard.press('Enter');
  await page.locator('#token-why', { hasText: 'not one of this fleet' }).waitFor();
  await page.locator('#token-field').fill('page-token');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.deepEqual([...new Set(await holders(page))], ['larder']);
  assert.match(await page.locator('.count').textContent(), /of 1 repository/);
  const path = await page.locator('.hit').first().getAttribute('data-path');
  await page.goto(`${ADDRESS}/file?in=fleet&path=${encodeURIComponent(path)}`);
  await page.locator('.source .line').first().waitFor();
  await page.goto(`${ADDRESS}/file?in=fleet&path=lathe/README.md`);
  await page.getByText('no_such_file').waitFor();
}

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const said = [];
  page.on('pageerror', (error) => said.push(error.message));
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  page.setDefaultTimeout(20_000);
  await { repositories, partial, token }[process.argv[2]](page);
  assert.deepEqual(said.filter((line) => !/401|404/.test(line)), []);
} finally {
  await browser.close();
}
