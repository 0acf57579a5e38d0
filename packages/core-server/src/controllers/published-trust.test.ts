import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createAuthority } from '@tributary/server/pki';
import { mergedTrust, type Trust } from './published-trust.ts';

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;
let first: string;
let second: string;
let expired: string;
before(async () => {
  const until = (ms: number) => ({
    notBefore: new Date(NOW_MS - 9 * HOUR_MS),
    notAfter: new Date(ms),
  });
  first = (await createAuthority('first')).cert;
  second = (await createAuthority('second')).cert;
  expired = (await createAuthority('expired', until(NOW_MS - HOUR_MS))).cert;
});

const headers = {
  allowedNames: ['front-proxy-client'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};
const certificates = (text = '') => text.match(/BEGIN CERTIFICATE/g)?.length ?? 0;

describe('the ConfigMap extension-apiserver-authentication', () => {
  test('has all keys when it is created', () => {
    const trust: Trust = { clientCa: first, requestHeader: { ca: second, ...headers } };
    const data = mergedTrust({}, trust, NOW_MS);
    assert.deepEqual(Object.keys(data).sort(), [
      'client-ca-file',
      'requestheader-allowed-names',
      'requestheader-client-ca-file',
      'requestheader-extra-headers-prefix',
      'requestheader-group-headers',
      'requestheader-username-headers',
    ]);
    assert.equal(data['requestheader-allowed-names'], '["front-proxy-client"]');
    assert.deepEqual(mergedTrust(data, trust, NOW_MS), data);
  });

  test('keeps the content of other servers without expired certificates', () => {
    const published = {
      'client-ca-file': `# a comment\n${expired}${second}`,
      'requestheader-allowed-names': '["other","front-proxy-client"]',
      mine: 'unchanged',
    };
    const trust: Trust = { clientCa: first, requestHeader: { ca: second, ...headers } };
    const data = mergedTrust(published, trust, NOW_MS);
    assert.equal(certificates(data['client-ca-file']), 2);
    assert.equal(data['requestheader-allowed-names'], '["other","front-proxy-client"]');
    assert.equal(data.mine, 'unchanged');
  });

  test('invalid content is overwritten', () => {
    const published = { 'requestheader-group-headers': 'not a list', 'client-ca-file': 'no PEM' };
    const trust: Trust = { clientCa: first, requestHeader: { ca: second, ...headers } };
    const data = mergedTrust(published, trust, NOW_MS);
    assert.equal(data['requestheader-group-headers'], '["X-Remote-Group"]');
    assert.equal(certificates(data['client-ca-file']), 1);
  });

  test('has no headers without a front proxy', () => {
    const data = mergedTrust({}, { clientCa: first, requestHeader: undefined }, NOW_MS);
    assert.deepEqual(Object.keys(data), ['client-ca-file']);
  });

  test('has uid headers only when configured', () => {
    const requestHeader = { ca: second, ...headers, uidHeaders: ['X-Remote-Uid'] };
    const data = mergedTrust({}, { clientCa: undefined, requestHeader }, NOW_MS);
    assert.equal(data['requestheader-uid-headers'], '["X-Remote-Uid"]');
  });
});
