import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference } from '@tributary/apimachinery';
import { cpuMs } from '../../../../test/harness/own-time.ts';
import type { Warnings } from '../request/warnings.ts';
import { dedupOwners } from './owner-references.ts';

const owner = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'a',
  uid,
  ...more,
});

function dedup(ownerReferences: OwnerReference[]) {
  const texts: string[] = [];
  const warnings = { add: (text: string) => texts.push(text) } as unknown as Warnings;
  return { metadata: dedupOwners({ ownerReferences }, warnings), texts };
}

test('duplicate owner references are dropped, with a warning', () => {
  const references = [owner('1'), owner('2'), owner('1'), owner('1', { controller: true })];
  const { metadata, texts } = dedup(references);
  assert.deepEqual(metadata.ownerReferences, [references[0], references[1], references[3]]);
  assert.match(texts.join(), /duplicate UID\(s\) observed: 1$/);
});

for (const [name, make] of [
  ['different owners', (at: number) => owner(`u${at}`)],
  ['references to one uid', (at: number) => owner('u', { name: `n${at}` })],
] as const) {
  test(`ten times the ${name} take about ten times the work`, () => {
    const work = (count: number) => {
      const references = Array.from({ length: count }, (_, at) => make(at));
      return Math.min(...[1, 2, 3].map(() => cpuMs(() => void dedup(references))));
    };
    work(1_000);
    const [few, many] = [work(2_000), work(20_000)];
    assert.ok(many < 40 * Math.max(few, 0.5), `${many.toFixed(1)} ms after ${few.toFixed(1)} ms`);
  });
}
