// A tree of our own in a temporary folder, and the program serving it.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const golden = join(here, '../../../../eval/golden/trees');
const { WHEREIN } = process.env;

/** The golden trees, a few odd files, git's history of one commit, and two evaluation runs. */
export function project() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wherein-browser-')));
  const root = join(folder, 'samples');
  cpSync(golden, root, { recursive: true });
  mkdirSync(join(root, 'odd'));
  writeFileSync(join(root, 'odd/long.py'), `def wombat_census():\n${'    total = count_wombats(region)\n'.repeat(60)}    return "${'very long '.repeat(120)}"\n`);
  writeFileSync(join(root, 'odd/picture.png'), 'no text');
  writeFileSync(join(root, 'odd/empty.py'), '# nothing\n');
  const runs = join(folder, 'runs');
  const variables = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), XDG_CONFIG_HOME: join(folder, 'config') };
  delete variables.WHEREIN_TOKEN;
  const run = (...words) => execFileSync(WHEREIN, words, { cwd: root, env: variables, stdio: ['ignore', 'ignore', 'inherit'] });
  const modes = ['lexical', 'dense', 'hybrid'].flatMap((mode) => ['--mode', mode]);
  run('eval', 'self', root, '--no-rivals', '--most', '8', ...modes, '--out', join(runs, 'self'));
  return { folder, root, runs, variables, end: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a server; `address` is where it answers. */
export async function serve({ root, runs, variables }, more = {}, words = []) {
  const child = spawn(WHEREIN, ['serve', root, ...words, '--listen', '127.0.0.1:0', '--runs', runs, '--editor', 'editor://{path}?line={line}'], { env: { ...variables, ...more }, stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const found = /http:\/\/[^/\s]+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { address, end: () => child.kill() };
}

/** Waits until everything has a vector and questions to start with are found. */
export async function encoded({ address }) {
  for (let tries = 0; tries < 600; tries += 1) {
    const status = await (await fetch(`${address}/api/status`)).json();
    if (status.activity.encoding.state === 'done' && status.examples.length) return status;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the tree was not encoded in two minutes');
}
