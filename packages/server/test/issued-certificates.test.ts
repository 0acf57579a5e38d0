/** Other implementations verify the certificates that we issue. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { requireProgram, temporaryDirectory } from '../../../test/harness/index.ts';
import { createKey, issueLeaf, type KeyPair, selfSign, validFor } from '../src/pki/issuing.ts';

const run = promisify(execFile);
const DAY_MS = 86_400_000;
const life = (days: number) => validFor({ nowMs: Date.now(), lifetimeMs: days * DAY_MS });

function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

const keys = [
  { name: 'EC', make: createKey },
  { name: 'RSA', make: rsaKey },
];
for (const { name, make } of keys) {
  test(`OpenSSL, strictly, verifies what an ${name} authority signs`, async (t) => {
    const openssl = await requireProgram(t, 'openssl');
    if (openssl === undefined) return;
    const key = make();
    const ca = { key, cert: selfSign(key, 'ca', life(20_000)) }; // ends after 2050
    const names = ['localhost', 'a.b.svc', '10.0.0.1', '2001:db8::1'];
    const leaf = issueLeaf(ca, { commonName: 'a', usage: 'server', names }, life(30));
    const verify = await verifier(openssl, await temporaryDirectory(t), { ca, leaf });
    const good = ['-purpose', 'sslserver'];
    for (const asked of [
      ['-verify_hostname', 'a.b.svc'],
      ['-verify_ip', '2001:db8::1'],
    ]) {
      assert.match(await verify(...good, ...asked), /leaf\.crt: OK/);
    }
    await assert.rejects(verify(...good, '-verify_hostname', 'b.svc'), /hostname mismatch/i);
    await assert.rejects(verify('-purpose', 'sslclient'), /unsuitable certificate purpose/i);
  });
}

test('OpenSSL signs with a key of ours, and we sign with an authority of OpenSSL', async (t) => {
  const openssl = await requireProgram(t, 'openssl');
  if (openssl === undefined) return;
  const directory = await temporaryDirectory(t);
  const keyFile = join(directory, 'theirs.key');
  await writeFile(keyFile, createKey());
  const subject = ['-subj', '/C=DE/O=Ours & theirs/CN=theirs'];
  const usage = ['-addext', 'keyUsage=critical,keyCertSign'];
  const request = ['-x509', '-key', keyFile, ...subject, ...usage, '-days', '9'];
  const { stdout: cert } = await run(openssl, ['req', ...request]);
  const { stdout: key } = await run(openssl, ['pkey', '-in', keyFile]);
  const ca = { cert, key };
  const leaf = issueLeaf(ca, { commonName: 'a', usage: 'client' }, life(3));
  const verify = await verifier(openssl, directory, { ca, leaf });
  assert.match(await verify('-purpose', 'sslclient'), /leaf\.crt: OK/);
});

async function verifier(
  openssl: string,
  directory: string,
  { ca, leaf }: { ca: KeyPair; leaf: KeyPair },
): Promise<(...options: string[]) => Promise<string>> {
  const [caFile, leafFile] = [join(directory, 'ca.crt'), join(directory, 'leaf.crt')];
  await Promise.all([writeFile(caFile, ca.cert), writeFile(leafFile, leaf.cert)]);
  return async (...options) => {
    const args = [
      'verify',
      '-x509_strict',
      '-check_ss_sig',
      ...options,
      '-CAfile',
      caFile,
      leafFile,
    ];
    return (await run(openssl, args)).stdout;
  };
}
