/** Documents built in steps equal those built at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything } from '../../test/everything-api.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { CompactForm } from './compact-form.ts';
import { atOnce, documentParts, wholeDocument } from './document-parts.ts';
import { documentV2, formsOfV2 } from './document-v2.ts';
import { documentV3, textOfV3 } from './document-v3.ts';
import { liveDocuments } from './live-documents.ts';
import { lazyDocuments } from './local-documents.ts';
import { encodeDocumentV2 } from './protobuf/document-v2.ts';

const patchTypes = ['application/merge-patch+json'];
const info = { title: 'All', version: 'v1' };

for (const isControlPlane of [false, true]) {
  test(`version 3, ${isControlPlane ? 'of a control plane' : 'of another server'}`, () => {
    for (const part of documentParts([everything], { patchTypes })) {
      const about = { info, isControlPlane };
      const text = atOnce(textOfV3(part, about)).join('');
      assert.equal(text, JSON.stringify(documentV3(part, about)), part.key);
    }
  });
}

test('version 2, as JSON and as a message', () => {
  const whole = wholeDocument([everything], documentParts([everything], { patchTypes }));
  const document = documentV2(whole, info);
  const { json, message } = atOnce(formsOfV2(whole, info));
  assert.equal(json.join(''), JSON.stringify(document));
  assert.deepEqual(Buffer.from(message), Buffer.from(encodeDocumentV2(document)));
});

test('no step makes more than one path or schema, so that others get their turn between', () => {
  const countOf = (steps: Generator<void, unknown>) => [...steps].length;
  const membersOf = (...members: (object | undefined)[]) =>
    members.reduce((sum: number, member = {}) => sum + Object.keys(member).length, 0);
  const parts = documentParts([everything], { patchTypes });
  for (const part of parts) {
    const about = { info, isControlPlane: false };
    const { paths, components } = documentV3(part, about);
    const count = countOf(textOfV3(part, about));
    assert.ok(count >= membersOf(paths, components?.schemas), `${part.key} in ${count} steps`);
  }
  const whole = wholeDocument([everything], parts);
  const { paths, definitions } = documentV2(whole, info);
  const count = countOf(formsOfV2(whole, info));
  assert.ok(count >= membersOf(paths, definitions), `version 2 in ${count} steps`);
});

test('what is compressed is the same, and one for all who ask at once', async () => {
  const bytes = Buffer.from(JSON.stringify(Array(20_000).fill('word')));
  const form = new CompactForm(bytes);
  assert.equal(form.bytes, bytes);
  await form.compact();
  await form.compact();
  assert.deepEqual(Buffer.from(form.bytes), bytes);
  assert.equal(form.bytes, form.bytes);
  const small = new CompactForm(bytes.subarray(0, 10));
  await small.compact();
  assert.equal(small.bytes.length, 10);
});

test('of version 3 only what changed is made again', async () => {
  const other: ApiDefinition = { ...everything, group: 'other.example.com' };
  const options = { patchTypes, info, modifiedMs: 0 };
  const before = await lazyDocuments([everything, other], options).v3();
  const changed: ApiDefinition = { ...other };
  const after = await lazyDocuments([everything, changed], options).v3();
  const key = 'apis/everything.example.com/v1';
  assert.equal(after.byKey.get(key), before.byKey.get(key));
  const otherKey = 'apis/other.example.com/v1';
  assert.notEqual(after.byKey.get(otherKey), before.byKey.get(otherKey));
  assert.equal(after.index.hash, before.index.hash);
});

test('who asks soon after a change gets the last document, who asks later the next', async () => {
  let nowMs = 0;
  let apis: readonly ApiDefinition[] = [everything];
  const documents = liveDocuments(() => apis, { patchTypes, clock: { nowMs: () => nowMs } });
  const keys = async () => [...(await documents.v3()).byKey.keys()].join(' ');
  assert.doesNotMatch(await keys(), /other/);
  apis = [everything, { ...everything, group: 'other.example.com' }];
  assert.doesNotMatch(await keys(), /other/);
  nowMs = 1000;
  assert.match(await keys(), /other/);
  // Several changes, of which the last is requested.
  for (const group of ['a.example.com', 'b.example.com']) {
    apis = [...apis, { ...everything, group }];
    assert.doesNotMatch(await keys(), /b.example.com/);
  }
  nowMs = 2000;
  assert.match(await keys(), /b.example.com/);
});
