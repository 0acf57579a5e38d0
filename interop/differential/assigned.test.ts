import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillJwt } from './assigned.ts';
import { at, type Json } from './json.ts';
import { normaliseRow } from './normalise.ts';
import type { Row } from './row.ts';
import type { RawStepResult } from './step-result.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const issued = now / 1000;

function normalised(body: Json, said: Json = {}, sharedRevisions = false): Json | undefined {
  const row: Row = {
    name: 'a row',
    covers: { feature: 'routing' },
    steps: [{ name: 's', path: '/', body: said }],
  };
  const response = { status: 200, headers: [], body: JSON.stringify(body) };
  const result: RawStepResult = { kind: 'response', step: 's', request: 'GET /', response };
  const [first] = normaliseRow([result], { row, namespace: 'ns-7', now, sharedRevisions });
  return at(first, 'body');
}

function token(claims: Json, header: Json = { alg: 'ES256', kid: 'abc' }): string {
  const encode = (part: Json): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode(header)}.${encode(claims)}.c2ln`;
}

const cases: readonly { name: string; body: Json; said?: Json; want: Json }[] = [
  {
    name: 'cluster IPs are numbered, the same one alike',
    body: ['10.0.0.20', '10.0.0.30', 'IP 10.0.0.20 is taken'],
    want: ['<ip:1>', '<ip:2>', 'IP <ip:1> is taken'],
  },
  {
    name: 'other addresses stay',
    body: ['10.0.1.20', '192.0.2.1'],
    want: ['10.0.1.20', '192.0.2.1'],
  },
  { name: 'the pool stays', body: ['in 10.0.0.0/24'], want: ['in 10.0.0.0/24'] },
  {
    name: 'a chosen address stays',
    body: ['10.0.0.5'],
    said: { ip: '10.0.0.5' },
    want: ['10.0.0.5'],
  },
  {
    name: 'node ports are numbered, in columns too',
    body: [{ nodePort: 31000 }, { cells: ['80:31000/TCP'] }],
    want: [{ nodePort: '<port:1>' }, { cells: ['80:<port:1>/TCP'] }],
  },
  {
    name: 'a port outside of the range stays',
    body: { nodePort: 29999 },
    want: { nodePort: 29999 },
  },
  {
    name: 'a chosen node port stays',
    body: { nodePort: 30077 },
    said: { p: 30077 },
    want: { nodePort: 30077 },
  },
  { name: 'other numbers in the range stay', body: { port: 31000 }, want: { port: 31000 } },
  {
    name: 'ages in cells',
    body: { cells: ['a', '3s', '4m'] },
    want: { cells: ['a', '<age>', '4m'] },
  },
  { name: 'a token that is no JWT stays', body: { token: 'a.b' }, want: { token: 'a.b' } },
  {
    name: 'a JWT by what it says, times from its issue',
    body: { token: token({ iat: issued, nbf: issued, exp: issued + 3600, sub: 'ns-7' }) },
    want: {
      token:
        '<jwt {"claims":{"exp":"<issued+3600>","iat":"<issued>","nbf":"<issued>","sub":"<ns>"},"header":{"alg":"<alg>","kid":"<kid>"}}>',
    },
  },
  {
    name: 'a JWT without a key id says so',
    body: { token: token({ iat: issued }, { alg: 'ES256' }) },
    want: { token: '<jwt {"claims":{"iat":"<issued>"},"header":{"alg":"<alg>"}}>' },
  },
  {
    name: 'a JWT of long ago keeps its times',
    body: { token: token({ iat: 5, exp: 6 }, {}) },
    want: { token: '<jwt {"claims":{"exp":6,"iat":5},"header":{}}>' },
  },
];
for (const { name, body, said, want } of cases) {
  test(name, () => assert.deepEqual(normalised(body, said), want));
}

test('a JWT that is made from its label has the same label', () => {
  const claims = { iat: issued, exp: issued + 60, nbf: issued - 5 };
  const label = at(normalised({ token: token(claims) }), 'token') as string;
  const again = fillJwt(label.slice('<jwt '.length, -1), now);
  assert.equal(at(normalised({ token: again }), 'token'), label);
});

test('where others write too, lists say nothing about the row', () => {
  const list = {
    items: [{ metadata: { resourceVersion: '7' } }, { metadata: { resourceVersion: '9' } }],
    metadata: { resourceVersion: '12' },
  };
  const versions = ['<rv:1>', '<rv:2>'].map((resourceVersion) => ({
    metadata: { resourceVersion },
  }));
  assert.deepEqual(normalised(list, {}, true), {
    items: versions,
    metadata: { resourceVersion: '<list rv>' },
  });
  assert.deepEqual(at(normalised(list), 'metadata', 'resourceVersion'), '<rv:3>');
});
