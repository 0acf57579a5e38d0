/** The security suite fails on a proxy that is broken on purpose, with every user of the proxy. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sourceFlags } from '../../packages/server/launcher.js';
import { proxyMutants } from './mutants.ts';
import { proxyUsers } from './users.ts';

const SUITE = fileURLToPath(new URL('./security.test.ts', import.meta.url));
const HOOK = new URL('./mutate.ts', import.meta.url).href;

for (const { name, foundBy } of proxyMutants) {
  test(`the suite finds a proxy that ${name}`, async () => {
    const { code, output } = await runSuite(name, foundBy);
    assert.notEqual(code, 0);
    const failed = [...output.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map(([, title]) => title);
    const found = failed.filter((title) => title?.includes(foundBy));
    assert.ok(found.length >= proxyUsers.length, `${output.slice(-4000)}`);
  });
}

function runSuite(
  fault: string,
  pattern: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const args = [
    ...sourceFlags(),
    ...['--import', HOOK, '--test-reporter=tap', '--test-timeout=10000'],
    `--test-name-pattern=${pattern}`,
    SUITE,
  ];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { env: { ...env, PROXY_FAULT: fault }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => resolve({ code: error === null ? 0 : 1, output: stdout }),
    );
  });
}
