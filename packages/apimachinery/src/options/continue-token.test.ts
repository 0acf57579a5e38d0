import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { StatusError } from '../errors/status.ts';
import { continueAfter, decodeContinueToken, encodeContinueToken } from './continue-token.ts';

/** Characters below the surrogates, which UTF-8 cannot encode. */
const anyCharacter = fc.nat(0xd7ff).map((code) => String.fromCharCode(code));

const refusals = [
  {
    name: 'no base64',
    token: '!',
    want: 'invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
  },
  {
    name: 'a lone digit',
    token: 'a',
    want: 'invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
  },
  {
    name: 'padding',
    token: 'e30=',
    want: 'invalid continue token: continue key is not valid: illegal base64 data at input byte 3',
  },
  {
    name: 'no JSON',
    token: 'eA',
    want: "invalid continue token: continue key is not valid: invalid character 'x' looking for beginning of value",
  },
  {
    name: 'JSON that does not end',
    token: 'ew',
    want: 'invalid continue token: continue key is not valid: unexpected end of JSON input',
  },
  {
    name: 'a list',
    token: 'W10',
    want: 'invalid continue token: continue key is not valid: json: cannot unmarshal array into Go value of type storage.continueToken',
  },
  {
    name: 'another version',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjIiLCJydiI6NSwic3RhcnQiOiJhIn0',
    want: 'invalid continue token: continue key is not valid: server does not recognize this encoded version meta.k8s.io/v2',
  },
  {
    name: 'no version',
    token: 'e30',
    want: 'invalid continue token: continue key is not valid: server does not recognize this encoded version ',
  },
  {
    name: 'a version that is a number',
    token: 'eyJ2IjoxfQ',
    want: 'invalid continue token: continue key is not valid: json: cannot unmarshal number into Go struct field continueToken.v of type string',
  },
  {
    name: 'revision 0',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0',
    want: 'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  },
  {
    name: 'a revision as text',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6IjUiLCJzdGFydCI6ImEifQ',
    want: 'invalid continue token: continue key is not valid: json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
  },
  {
    name: 'a fraction',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MS41LCJzdGFydCI6ImEifQ',
    want: 'invalid continue token: continue key is not valid: json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
  },
  {
    name: 'no start',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NX0',
    want: 'invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
  },
  {
    name: 'a start with a parent segment',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIuLi94In0',
    want: 'invalid continue token: continue key is not valid: ../x',
  },
  {
    name: 'a start with a dot segment',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhLy4vYiJ9',
    want: 'invalid continue token: continue key is not valid: a/./b',
  },
  {
    name: 'a start with an empty segment',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhLy9iIn0',
    want: 'invalid continue token: continue key is not valid: a//b',
  },
  {
    name: 'a slash at the end',
    token: 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhLyJ9',
    want: 'invalid continue token: continue key is not valid: a/',
  },
  {
    name: 'empty',
    token: '',
    want: 'invalid continue token: continue key is not valid: unexpected end of JSON input',
  },
];
for (const { name, token, want } of refusals) {
  test(`an invalid token: ${name}`, () => {
    assert.throws(
      () => decodeContinueToken(token),
      (error) => error instanceof StatusError && error.code === 400 && error.message === want,
    );
  });
}

const documents = [
  {
    name: 'in a namespace',
    document: '{"v":"meta.k8s.io/v1","rv":5,"start":"a\\u0000"}',
    want: { revision: 5, start: 'a\x00' },
  },
  {
    name: 'in all namespaces',
    document: '{"v":"meta.k8s.io/v1","rv":5,"start":"ns/a\\u0000"}',
    want: { revision: 5, start: 'ns/a\x00' },
  },
  {
    name: 'a slash at the start',
    document: '{"v":"meta.k8s.io/v1","rv":5,"start":"/a"}',
    want: { revision: 5, start: 'a' },
  },
  {
    name: 'at the latest state',
    document: '{"v":"meta.k8s.io/v1","rv":-1,"start":"a"}',
    want: { revision: -1, start: 'a' },
  },
  {
    name: 'from the root',
    document: '{"v":"meta.k8s.io/v1","rv":5,"start":"/"}',
    want: { revision: 5, start: '' },
  },
];
for (const { name, document, want } of documents) {
  test(`a token is decoded: ${name}`, () => {
    assert.deepEqual(decodeContinueToken(Buffer.from(document).toString('base64url')), want);
  });
}

test('a token equals that of upstream byte for byte', () => {
  assert.equal(
    continueAfter('ns/a<b', 5),
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJucy9hXHUwMDNjYlx1MDAwMCJ9',
  );
});

test('a token survives encoding and decoding', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', '-', '.', '<', 'é', '"'), minLength: 1 });
  const start = fc.array(
    segment.filter((text) => !/^\.+$/.test(text)),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(start, fc.integer({ min: 1 }), (segments, revision) => {
      const token = { revision, start: `${segments.join('/')}\0` };
      assert.deepEqual(decodeContinueToken(encodeContinueToken(token)), token);
    }),
  );
});

test('any text is decoded or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.throws(() => decodeContinueToken(text), StatusError);
    }),
  );
});
