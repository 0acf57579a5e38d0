/** A program whose thread of the store dies cannot serve: it ends with one line, so that a supervisor starts it again. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  logShows,
  runSource,
  type StartedProcess,
  startProcess,
  temporaryDirectory,
} from '../harness/index.ts';
import { tributaryUp } from './core-program.ts';

const WARDLE = join(import.meta.dirname, '../../samples/wardle/src/main.ts');

/** Loaded into every thread of the program: the one of the store dies when a file appears. */
function saboteur(trigger: string, end: string): string {
  return `
    const { existsSync } = require('node:fs');
    const { threadName } = require('node:worker_threads');
    if (threadName === 'tributary-sqlite') {
      const look = () => { if (existsSync(${JSON.stringify(trigger)})) { ${end} } };
      setInterval(look, 10).unref();
      look();
    }`;
}

const THROWS = "throw new Error('a bug of the store')";
const EXITS = 'process.exit(7)';

async function sabotaged(t: TestContext, end: string) {
  const dataDir = await temporaryDirectory(t, 'tributary-thread-');
  const trigger = join(dataDir, 'die');
  const script = join(dataDir, 'saboteur.cjs');
  await writeFile(script, saboteur(trigger, end));
  return {
    dataDir,
    env: { NODE_OPTIONS: `--require ${script}` },
    die: () => writeFile(trigger, ''),
  };
}

const programs = [
  { name: 'tributary up', run: tributaryUp },
  {
    name: 'an extension server',
    run: (dataDir: string) =>
      runSource(WARDLE, ['--secure-port=0', `--data-dir=${dataDir}`, '--storage=sqlite']),
  },
];

const ends = [
  {
    name: 'throws',
    end: THROWS,
    line: /: the thread of the store failed: a bug of the store; exiting\n/,
  },
  {
    name: 'exits',
    end: EXITS,
    line: /: the thread of the store failed: it ended with 7; exiting\n/,
  },
];

for (const program of programs) {
  for (const { name, end, line } of ends) {
    test(`${program.name} ends with one line when the thread of its store ${name}`, async (t) => {
      const { dataDir, env, die } = await sabotaged(t, end);
      const ready = logShows(/is ready at/);
      const server = await startProcess(t, { ...program.run(dataDir), env, ready });
      const before = server.log().length;
      await die();
      assert.deepEqual(await server.exited, { code: 1, signal: null });
      const after = server.log().slice(before);
      assert.match(after, line);
      assert.doesNotMatch(after, /\n\s+at /, 'a line, not a stack');
    });
  }
}

for (const { name, end } of ends) {
  test(`tributary up ends with one line when the thread of its store ${name} before it has opened`, async (t) => {
    const { dataDir, env, die } = await sabotaged(t, end);
    await die();
    const server: StartedProcess = await startProcess(t, { ...tributaryUp(dataDir), env });
    assert.deepEqual(await server.exited, { code: 1, signal: null });
    assert.match(server.log(), /a bug of the store|it ended with 7/);
  });
}
