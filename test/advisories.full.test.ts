/** Dependencies against the advisories that the registry knows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  readonly message?: string;
}

test('no dependency that is shipped has a known advisory', (t) => {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    timeout: 120_000,
  });
  const audit = JSON.parse(stdout || '{}') as Audit;
  if (audit.vulnerabilities === undefined) {
    // A mirror of the registry, or no network: docs/security.md says what is then not known.
    t.skip(`the registry tells no advisories: ${audit.message ?? 'no answer'}`);
    return;
  }
  assert.deepEqual(Object.keys(audit.vulnerabilities), []);
});
