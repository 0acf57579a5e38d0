import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { specificationV2 } from '../../test/openapi-fixture.ts';
import { type HashedDocument, threadJobs } from './thread-jobs.ts';

function part(group: string, description: string): HashedDocument {
  const bytes = Buffer.from(JSON.stringify(specificationV2(group, description)));
  return threadJobs()['read-v2']({ bytes, group, version: 'v1' });
}

const groups = ['a.example.com', 'b.example.com', 'c.example.com'];
const local = part('local.example.com', 'local');
/** The known documents of each group at a moment; none, or one of two. */
const moments = fc.array(fc.tuple(...groups.map(() => fc.constantFrom(undefined, 'one', 'two'))), {
  minLength: 1,
  maxLength: 6,
});

test('merges that remember what they read are those of somebody who remembers nothing', () => {
  fc.assert(
    fc.property(moments, (states) => {
      const remembering = threadJobs();
      for (const state of states) {
        const parts = groups.flatMap((name, index) => {
          const description = state[index];
          return description === undefined ? [] : [{ name, part: part(name, description) }];
        });
        const ask = {
          local: local.hash,
          parts: parts.map(({ name, part: { hash } }) => ({ name, hash })),
        };
        const documents = [local, ...parts.map((one) => one.part)];
        const forgetful = threadJobs();
        for (const document of documents) forgetful.remember(document);
        const result = remembering.merge(ask);
        if (result.outcome === 'missing') {
          for (const hash of result.hashes) {
            remembering.remember(documents.find((one) => one.hash === hash) ?? local);
          }
        }
        const merged = remembering.merge(ask);
        assert.equal(merged.outcome, 'merged');
        assert.deepEqual(merged, forgetful.merge(ask));
      }
    }),
    { numRuns: 50 },
  );
});

test('integers beyond 2^53 of any server keep their digits in the merged document', () => {
  const withBounds = (group: string, digits: string): HashedDocument => {
    const text = JSON.stringify(specificationV2(group, 'DIGITS'));
    const bounded = text.replace(
      '"description":"DIGITS"',
      `"maximum":${digits},"maxLength":${digits}`,
    );
    assert.notEqual(bounded, text);
    return threadJobs()['read-v2']({ bytes: Buffer.from(bounded), group, version: 'v1' });
  };
  const own = withBounds('local.example.com', '9223372036854775807');
  const other = withBounds('a.example.com', '9007199254740993');
  const jobs = threadJobs();
  for (const document of [own, other]) jobs.remember(document);
  const result = jobs.merge({ local: own.hash, parts: [{ name: 'a', hash: other.hash }] });
  assert.ok(result.outcome === 'merged');
  assert.deepEqual(result.skipped, []);
  const text = Buffer.from(result.json.bytes).toString();
  for (const digits of ['9223372036854775807', '9007199254740993']) {
    assert.ok(
      text.includes(`"maximum":${digits}`) && text.includes(`"maxLength":${digits}`),
      digits,
    );
  }
  // The largest int64 as a varint, in the document for clients of protobuf.
  assert.ok(Buffer.from(result.protobuf).includes(Buffer.from('ffffffffffffffff7f', 'hex')));
});

test('a part that cannot be merged is left out, and named', () => {
  const good = part('a.example.com', 'one');
  const bytes = Buffer.from('{"swagger":"2.0","paths":7}');
  const jobs = threadJobs();
  for (const document of [local, good, { bytes, hash: 'x' }]) jobs.remember(document);
  const parts = [
    { name: 'bad', hash: 'x' },
    { name: 'good', hash: good.hash },
  ];
  const result = jobs.merge({ local: local.hash, parts });
  assert.equal(result.outcome, 'merged');
  const { json, skipped } = result as Extract<typeof result, { outcome: 'merged' }>;
  assert.deepEqual(skipped, [{ name: 'bad', reason: 'its paths are no object' }]);
  assert.ok(Buffer.from(json.bytes).includes('/apis/a.example.com/v1/flunders'));
});

const notV3 = [
  { text: '[]', says: /no object/ },
  { text: '{"swagger":"2.0"}', says: /not of OpenAPI 3/ },
  { text: '{"openapi":"3.0.0","paths":[]}', says: /paths are no object/ },
  { text: '{"openapi":"3.0.0"', says: /JSON/ },
];
for (const { text, says } of notV3) {
  test(`not of version 3: ${text}`, () => {
    assert.throws(() => threadJobs()['check-v3']({ bytes: Buffer.from(text) }), says);
  });
}

test('what was not merged is forgotten, and asked for again', () => {
  const jobs = threadJobs();
  const one = part('a.example.com', 'one');
  for (const document of [local, one]) jobs.remember(document);
  assert.equal(jobs.merge({ local: local.hash, parts: [] }).outcome, 'merged');
  const again = jobs.merge({ local: local.hash, parts: [{ name: 'a', hash: one.hash }] });
  assert.deepEqual(again, { outcome: 'missing', hashes: [one.hash] });
});
