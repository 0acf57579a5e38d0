import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createAuthority } from '../../../../test/harness/index.ts';
import { trustParts } from './trust-config-map.ts';

let pem = '';
before(async () => {
  pem = (await createAuthority('some-ca')).cert;
});

const lists = {
  'requestheader-allowed-names': '["Front-Proxy","b"]',
  'requestheader-username-headers': '["X-Remote-User"]',
  'requestheader-uid-headers': '["X-Remote-Uid"]',
  'requestheader-group-headers': '["X-Remote-Group","X-Team"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
};
const empty = {
  allowedNames: [],
  usernameHeaders: [],
  uidHeaders: [],
  groupHeaders: [],
  extraHeaderPrefixes: [],
};
const all = { clientCa: true, requestHeader: true };

/** The result of each part: its change, or its error message. */
function read(data: Record<string, unknown>, wanted = all): Record<string, unknown> {
  return Object.fromEntries(
    trustParts(wanted).map(({ name, read }) => {
      try {
        return [name, read(data)];
      } catch (error) {
        return [name, (error as Error).message];
      }
    }),
  );
}

test('everything', () => {
  const data = { 'client-ca-file': pem, 'requestheader-client-ca-file': pem, ...lists };
  assert.deepEqual(read(data), {
    'client CA': { clientCa: pem },
    'front proxy headers': {
      requestHeaders: {
        allowedNames: ['Front-Proxy', 'b'],
        usernameHeaders: ['x-remote-user'],
        uidHeaders: ['x-remote-uid'],
        groupHeaders: ['x-remote-group', 'x-team'],
        extraHeaderPrefixes: ['x-remote-extra-'],
      },
    },
    'front proxy CA': { requestHeaderCa: pem },
  });
});

test('nothing: bundles stay, lists are empty', () => {
  const want = {
    'client CA': undefined,
    'front proxy headers': { requestHeaders: empty },
    'front proxy CA': undefined,
  };
  assert.deepEqual(read({}), want);
  const blank = Object.fromEntries(Object.keys(lists).map((key) => [key, '']));
  assert.deepEqual(read({ 'client-ca-file': '', ...blank }), want);
  assert.deepEqual(read({ 'requestheader-group-headers': 'null' }), want);
});

test('only what is wanted is read', () => {
  const data = { 'client-ca-file': pem, 'requestheader-client-ca-file': pem };
  const [client, proxy] = [
    Object.keys(read(data, { ...all, requestHeader: false })),
    read(data, { ...all, clientCa: false }),
  ];
  assert.deepEqual(client, ['client CA']);
  assert.deepEqual(Object.keys(proxy), ['front proxy headers', 'front proxy CA']);
});

const wrong = [
  {
    name: 'a bundle without a certificate',
    data: { 'client-ca-file': 'x' },
    part: 'client CA',
    says: /contains no certificate/,
  },
  {
    name: 'a certificate that is none',
    data: { 'client-ca-file': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    part: 'client CA',
    says: /./,
  },
  {
    name: 'a list that is no JSON',
    data: { 'requestheader-group-headers': '[' },
    part: 'front proxy headers',
    says: /JSON/,
  },
  {
    name: 'a list that is none',
    data: { 'requestheader-group-headers': '{}' },
    part: 'front proxy headers',
    says: /is not a list of strings/,
  },
  {
    name: 'a list of numbers',
    data: { 'requestheader-allowed-names': '[1]' },
    part: 'front proxy headers',
    says: /is not a list of strings/,
  },
  {
    name: 'a value that is no text',
    data: { 'client-ca-file': 1 },
    part: 'client CA',
    says: /is not a string/,
  },
];
for (const { name, data, part, says } of wrong) {
  test(`${name} is bad, and only there`, () => {
    const found = read(data);
    assert.match(String(found[part]), says);
    const others = Object.entries(found).filter(([what]) => what !== part);
    assert.ok(others.every(([, value]) => typeof value !== 'string'));
  });
}
