import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAuthority } from '@tributary/server/pki';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { FRONT_PROXY_NAME, frontProxyPki } from './front-proxy-pki.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const nowMs = Date.now();

test('an authority and a certificate are made once', async (t) => {
  const directory = join(await temporaryDirectory(t), 'pki');
  const files = await frontProxyPki(directory, nowMs);
  const made = await read(files);
  assert.ok(made.cert.verify(made.ca.publicKey));
  assert.match(made.cert.subject, new RegExp(`CN=${FRONT_PROXY_NAME}`));
  for (const name of ['ca.crt', 'ca.key', 'client.crt', 'client.key']) {
    const { mode } = await stat(join(directory, `front-proxy-${name}`));
    assert.equal(mode & 0o777, 0o600, name);
  }
  const again = await read(await frontProxyPki(directory, nowMs));
  assert.equal(again.ca.fingerprint256, made.ca.fingerprint256);
  assert.equal(again.cert.fingerprint256, made.cert.fingerprint256);
});

test('the certificate is made anew in time, the authority stays', async (t) => {
  const directory = await temporaryDirectory(t);
  const before = await read(await frontProxyPki(directory, nowMs));
  const after = await read(await frontProxyPki(directory, nowMs + 340 * DAY_MS));
  assert.equal(after.ca.fingerprint256, before.ca.fingerprint256);
  assert.notEqual(after.cert.fingerprint256, before.cert.fingerprint256);
  assert.ok(after.cert.verify(after.ca.publicKey));
});

test('a certificate of another authority is replaced', async (t) => {
  const directory = await temporaryDirectory(t);
  const files = await frontProxyPki(directory, nowMs);
  const other = createAuthority('other', { notAfter: new Date(nowMs + 300 * DAY_MS) }).issue({
    commonName: FRONT_PROXY_NAME,
    usage: 'client',
    notAfter: new Date(nowMs + 300 * DAY_MS),
  });
  await writeFile(files.certFile, other.cert);
  const { ca, cert } = await read(await frontProxyPki(directory, nowMs));
  assert.ok(cert.verify(ca.publicKey));
});

async function read({ caFile, certFile }: { caFile: string; certFile: string }) {
  const [ca, cert] = await Promise.all([caFile, certFile].map((file) => readFile(file)));
  return { ca: new X509Certificate(ca ?? ''), cert: new X509Certificate(cert ?? '') };
}
