/** Compares the audit log of `tributary up` with that of kube-apiserver for the same requests. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createScope } from '../../../test/harness/index.ts';
import { type AuditEvents, auditEvents, POLICY, SECRETS, STEPS, TOKENS } from './audit-script.ts';
import { startRunningCore } from './running-core.ts';

const recorded = JSON.parse(
  await readFile(join(import.meta.dirname, 'audit-events.json'), 'utf8'),
) as { events: AuditEvents };

suite('the audit log', () => {
  const scope = createScope('audit');
  let ours: AuditEvents = {};
  let text = '';

  before(async () => {
    const { url, ca, directory } = await startRunningCore(scope, {
      tokens: TOKENS,
      files: { 'policy.yaml': POLICY },
      flags: (place) => [
        `--audit-policy-file=${join(place, 'policy.yaml')}`,
        `--audit-log-path=${join(place, 'audit.log')}`,
      ],
    });
    const logFile = join(directory, 'audit.log');
    ours = await auditEvents({ url, ca, logFile });
    text = await readFile(logFile, 'utf8');
  });
  after(() => scope.close());

  for (const { name } of STEPS) {
    test(`has the events of kube-apiserver: ${name}`, () => {
      assert.deepEqual(parsed(ours[name]), parsed(differing(name, recorded.events[name])));
    });
  }

  test('contains no credentials', () => {
    for (const secret of SECRETS) assert.ok(!text.includes(secret), secret);
    // At level Metadata the response body of a TokenRequest is omitted.
    assert.ok(!text.includes('eyJ'));
  });
});

/** Deliberate differences. */
const DIFFERENCES: Readonly<Record<string, readonly [theirs: string, ours: string]>> = {
  // Credentials in URLs are redacted.
  'query-secret': ['access_token=query-token', 'access_token=REDACTED'],
  // List items are logged as stored.
  'list-selected': ['"items":[{', '"items":[{"kind":"ConfigMap","apiVersion":"v1",'],
};

function differing(name: string, events: readonly string[] = []): readonly string[] {
  const difference = DIFFERENCES[name];
  if (difference === undefined) return events;
  const [theirs, own] = difference;
  assert.ok(
    events.some((event) => event.includes(theirs)),
    `${name} differs no more`,
  );
  return events.map((event) => event.replace(theirs, own));
}

function parsed(events: readonly string[] = []): unknown[] {
  return events.map((event) => JSON.parse(event));
}
