import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { requestFor } from '../../test/request-fixture.ts';
import { decodeBody } from './decode-body.ts';

const decode = (body: string, contentType?: string) =>
  decodeBody(
    Buffer.from(body),
    requestFor('/', {
      headerLines: contentType === undefined ? [] : ['Content-Type', contentType],
    }),
  );

test('a body without a content type is JSON', () => {
  const decoded = decode('{"a":1,"a":9007199254740993}');
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.value, { a: 9007199254740993n });
  assert.deepEqual(decoded.duplicates, { fields: ['a'], yaml: undefined });
});

test('duplicate fields in YAML have their own messages', () => {
  const decoded = decode('a: 1\nb: 2\na: 3\n', 'application/yaml; charset=utf-8');
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.value, { a: 3, b: 2 });
  assert.deepEqual(decoded.duplicates, {
    fields: [],
    yaml: {
      duplicates: ['line 3: key "a" already set in map'],
      strictError: 'yaml: unmarshal errors:\n  line 3: key "a" already set in map',
    },
  });
});

const unreadable = [
  {
    name: 'JSON',
    body: '{',
    contentType: 'application/json',
    why: /^couldn't get version\/kind; json parse error: /,
  },
  {
    name: 'YAML',
    body: 'a: {b: [',
    contentType: 'application/yaml',
    why: /^yaml: line 1: did not find expected node content$/,
  },
];
for (const { name, body, contentType, why } of unreadable) {
  test(`invalid ${name} is reported with the messages of its format`, () => {
    const decoded = decode(body, contentType);
    assert.ok(!decoded.ok);
    assert.match(decoded.why, why);
  });
}

test('a body of an unsupported content type is refused', () => {
  assert.throws(
    () => decode('<a/>', 'text/xml'),
    (error) => error instanceof StatusError && error.code === 415,
  );
});
