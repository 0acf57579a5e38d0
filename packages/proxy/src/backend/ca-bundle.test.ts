import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '@tributary/server/pki';
import { readCaBundle } from './ca-bundle.ts';

const one = createAuthority('one').cert;
const two = createAuthority('two').cert;
const key = createAuthority('three').key;
const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const PREFIX = 'unable to load root certificates: ';

const bundles = [
  { name: 'one certificate', pem: one, count: 1 },
  { name: 'an old and a new one', pem: `${one}\n${two}`, count: 2 },
  { name: 'text around them', pem: `# old\n${one}# new\n${two}the end`, count: 2 },
  { name: 'lines that end as on Windows', pem: one.replaceAll('\n', '\r\n'), count: 1 },
  { name: 'a broken one beside a good one', pem: broken + one, count: 1 },
  { name: 'a key beside a certificate', pem: key + one, count: 1 },
];
for (const { name, pem, count } of bundles) {
  test(`caBundle with ${name}`, () => assert.equal(readCaBundle(pem).length, count));
}

const problems = [
  { name: 'no PEM', pem: 'hello', message: /^unable to parse bytes as PEM block$/ },
  {
    name: 'only a BEGIN line',
    pem: one.slice(0, 100),
    message: /^unable to parse bytes as PEM block$/,
  },
  { name: 'a broken certificate', pem: broken, message: /^failed to parse certificate: ./ },
  { name: 'only a key', pem: key, message: /^no valid certificate authority data seen$/ },
];
for (const { name, pem, message } of problems) {
  test(`caBundle that is ${name} is rejected with upstream's error`, () => {
    assert.throws(
      () => readCaBundle(pem),
      (error: Error) =>
        error.message.startsWith(PREFIX) && message.test(error.message.slice(PREFIX.length)),
    );
  });
}
