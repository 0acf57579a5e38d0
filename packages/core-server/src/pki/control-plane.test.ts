import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify, X509Certificate } from 'node:crypto';
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKey, issueLeaf, parseCertificates, validFor } from '@tributary/server/pki';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { DAY_MS } from './checks.ts';
import { controlPlanePki, renewControlPlane, renewIfDue } from './control-plane.ts';
import { inspectControlPlane } from './inspect.ts';
import { controlPlaneInventory, fileNames } from './inventory.ts';

const nowMs = Date.parse('2026-06-01T00:00:00Z');
const options = { nowMs, names: ['api.example.com'], addresses: ['10.0.0.1'] };
/** In the order of writing. */
const FILES = fileNames(controlPlaneInventory(options));

async function problemsIn(directory: string, atMs = nowMs): Promise<string[]> {
  const { certificates } = await inspectControlPlane(directory, atMs);
  return certificates.flatMap(({ file, problems }) =>
    problems.map(({ code }) => `${file} ${code}`),
  );
}

function isVerifiedBy(cert: string, bundle: string): boolean {
  const leaf = new X509Certificate(cert);
  return parseCertificates(bundle).some((ca) => leaf.checkIssued(ca) && leaf.verify(ca.publicKey));
}

test('all files are created once', async (t) => {
  const directory = join(await temporaryDirectory(t), 'new', 'pki');
  const first = await controlPlanePki(directory, options);
  assert.deepEqual([...first.made], FILES);
  assert.deepEqual((await readdir(directory)).sort(), [...FILES].sort());
  assert.deepEqual(await controlPlanePki(directory, options), { ...first, made: [] });
  assert.equal(await renewIfDue(directory, options), undefined);
  assert.deepEqual(await problemsIn(directory), []);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  for (const name of FILES) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
});

test('each leaf is signed by its own CA', async (t) => {
  const pki = await controlPlanePki(await temporaryDirectory(t), options);
  const leaves = [
    {
      pair: pki.serving,
      ca: pki.servingCa,
      usage: '1.3.6.1.5.5.7.3.1',
      subject: 'CN=kube-apiserver',
    },
    {
      pair: pki.frontProxyClient,
      ca: pki.frontProxyCa,
      usage: '1.3.6.1.5.5.7.3.2',
      subject: 'CN=front-proxy-client',
    },
    {
      pair: pki.admin,
      ca: pki.clientCa,
      usage: '1.3.6.1.5.5.7.3.2',
      subject: 'O=system:masters\nCN=kubernetes-admin',
    },
  ];
  for (const { pair, ca, usage, subject } of leaves) {
    const leaf = new X509Certificate(pair.cert);
    assert.equal(leaf.subject, subject);
    assert.deepEqual(leaf.keyUsage, [usage]);
    assert.ok(leaf.checkPrivateKey(createPrivateKey(pair.key)));
    const signers = [pki.clientCa, pki.servingCa, pki.frontProxyCa].filter((bundle) =>
      isVerifiedBy(pair.cert, bundle),
    );
    assert.deepEqual(signers, [ca], 'exactly one CA');
    assert.equal(leaf.validToDate.getTime() - nowMs, 365 * DAY_MS);
    assert.equal(new X509Certificate(ca).validToDate.getTime() - nowMs, 3650 * DAY_MS);
  }
  const serving = new X509Certificate(pki.serving.cert);
  for (const name of [
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    'api.example.com',
  ]) {
    assert.ok(serving.checkHost(name, { subject: 'never' }), name);
  }
  for (const address of ['127.0.0.1', '::1', '10.0.0.1'])
    assert.ok(serving.checkIP(address), address);
  const { key, publicKeys } = pki.serviceAccount;
  const data = Buffer.from('token');
  assert.ok(
    verify(
      'sha256',
      data,
      createPublicKey(publicKeys),
      sign('sha256', data, createPrivateKey(key)),
    ),
  );
});

test('after a crash between writes the next start creates the remaining files', async (t) => {
  const whole = await temporaryDirectory(t);
  await controlPlanePki(whole, options);
  for (let written = 0; written <= FILES.length; written += 1) {
    const directory = await temporaryDirectory(t);
    for (const name of FILES.slice(0, written)) cpSync(join(whole, name), join(directory, name));
    await controlPlanePki(directory, options);
    assert.deepEqual(await problemsIn(directory), [], `after ${written} files`);
    for (const name of FILES.slice(0, written)) {
      // The key of a leaf without its certificate is replaced together with it; the key of a CA is kept.
      const isLeafKeyWithoutCertificate =
        name === FILES[written - 1] && /^(apiserver|front-proxy-client|admin)\.key$/.test(name);
      const isUnchanged =
        readFileSync(join(directory, name), 'utf8') === readFileSync(join(whole, name), 'utf8');
      assert.equal(isUnchanged, !isLeafKeyWithoutCertificate, `${name} after ${written} files`);
    }
  }
});

/** Files that are created again after one is damaged. */
const damages: { file: string; removed: string[]; truncated?: string[] }[] = [
  { file: 'ca.crt', removed: ['ca.crt'] },
  { file: 'ca.key', removed: [], truncated: ['ca.key', 'ca.crt'] },
  { file: 'server-ca.crt', removed: ['server-ca.crt'] },
  { file: 'server-ca.key', removed: [], truncated: ['server-ca.key', 'server-ca.crt'] },
  { file: 'front-proxy-ca.crt', removed: ['front-proxy-ca.crt'] },
  {
    file: 'front-proxy-ca.key',
    removed: [],
    truncated: ['front-proxy-ca.key', 'front-proxy-ca.crt'],
  },
  { file: 'apiserver.crt', removed: ['apiserver.key', 'apiserver.crt'] },
  { file: 'apiserver.key', removed: ['apiserver.key', 'apiserver.crt'] },
  { file: 'front-proxy-client.crt', removed: ['front-proxy-client.key', 'front-proxy-client.crt'] },
  { file: 'front-proxy-client.key', removed: ['front-proxy-client.key', 'front-proxy-client.crt'] },
  { file: 'admin.crt', removed: ['admin.key', 'admin.crt'] },
  { file: 'admin.key', removed: ['admin.key', 'admin.crt'] },
  { file: 'sa.key', removed: ['sa.key', 'sa.pub'] },
  { file: 'sa.pub', removed: ['sa.pub'] },
];
test('every file has a damage row', () => {
  assert.deepEqual(damages.map(({ file }) => file).sort(), [...FILES].sort());
});
for (const { file, removed, truncated = removed } of damages) {
  const ways = [
    { way: 'removed', damage: (path: string) => rmSync(path), want: removed },
    { way: 'emptied', damage: (path: string) => truncateSync(path, 0), want: truncated },
    {
      way: 'cut in half',
      damage: (path: string) => truncateSync(path, statSync(path).size >> 1),
      want: truncated,
    },
  ];
  for (const { way, damage, want } of ways) {
    test(`${file} ${way}: only invalid files are created again`, async (t) => {
      const directory = await temporaryDirectory(t);
      const before = await controlPlanePki(directory, options);
      damage(join(directory, file));
      const after = await controlPlanePki(directory, options);
      assert.deepEqual([...after.made], want);
      assert.deepEqual(await problemsIn(directory), []);
      assert.deepEqual((await controlPlanePki(directory, options)).made, []);
      // Earlier client certificates are still accepted, and the server is still trusted through the old CA.
      assert.ok(isVerifiedBy(before.admin.cert, after.clientCa));
      assert.ok(isVerifiedBy(before.frontProxyClient.cert, after.frontProxyCa));
      assert.ok(isVerifiedBy(after.serving.cert, before.servingCa));
    });
  }
}

test('keys of another directory are detected', async (t) => {
  const [directory, other] = [await temporaryDirectory(t), await temporaryDirectory(t)];
  const first = await controlPlanePki(directory, options);
  await controlPlanePki(other, options);
  for (const name of ['apiserver.key', 'ca.key', 'sa.key'])
    cpSync(join(other, name), join(directory, name));
  assert.deepEqual(await problemsIn(directory), [
    'ca.crt key-mismatch',
    'apiserver.crt key-mismatch',
    'sa.key key-mismatch',
  ]);
  const second = await controlPlanePki(directory, options);
  assert.deepEqual([...second.made], ['ca.crt', 'apiserver.key', 'apiserver.crt', 'sa.pub']);
  assert.ok(isVerifiedBy(first.admin.cert, second.clientCa), 'the old CA is still trusted');
});

test('leaves are renewed a month before they expire, by the same CA', async (t) => {
  const directory = await temporaryDirectory(t);
  const first = await controlPlanePki(directory, options);
  const early = await renewIfDue(directory, { ...options, nowMs: nowMs + 334 * DAY_MS });
  assert.equal(early, undefined);
  const later = await renewIfDue(directory, { ...options, nowMs: nowMs + 336 * DAY_MS });
  assert.equal(later?.made.length, 6);
  assert.deepEqual([later?.clientCa, later?.servingCa], [first.clientCa, first.servingCa]);
  assert.equal(later?.serviceAccount.key, first.serviceAccount.key);
});

test('an expiring CA gets a new certificate for its key', async (t) => {
  const directory = await temporaryDirectory(t);
  const first = await controlPlanePki(directory, options);
  const later = await controlPlanePki(directory, { ...options, nowMs: nowMs + 3630 * DAY_MS });
  assert.ok(!later.made.includes('ca.key') && later.made.includes('ca.crt'));
  assert.ok(
    isVerifiedBy(later.admin.cert, first.clientCa),
    'copies of the old certificate still verify',
  );
  assert.deepEqual(await problemsIn(directory, nowMs + 3630 * DAY_MS), []);
});

test('a new name creates a serving certificate that keeps the old names', async (t) => {
  const directory = await temporaryDirectory(t);
  await controlPlanePki(directory, options);
  const moved = await controlPlanePki(directory, { nowMs, names: ['new.example.com'] });
  assert.deepEqual([...moved.made], ['apiserver.key', 'apiserver.crt']);
  const renewed = await renewControlPlane(directory, { nowMs });
  const leaf = new X509Certificate(renewed.serving.cert);
  assert.ok(leaf.checkHost('api.example.com') && leaf.checkHost('new.example.com'));
  assert.ok(leaf.checkIP('10.0.0.1'));
});

test('a CA with an external key is valid until a leaf must be signed', async (t) => {
  const directory = await temporaryDirectory(t);
  await controlPlanePki(directory, options);
  rmSync(join(directory, 'server-ca.key'));
  assert.deepEqual((await controlPlanePki(directory, options)).made, []);
  await assert.rejects(
    controlPlanePki(directory, { ...options, names: ['other.example.com'] }),
    /apiserver\.crt must be signed anew and server-ca\.key is not here: put the key back, or/,
  );
});

test('a front proxy CA that is also the client CA is rejected', async (t) => {
  const directory = await temporaryDirectory(t);
  await controlPlanePki(directory, options);
  for (const kind of ['crt', 'key'])
    cpSync(join(directory, `ca.${kind}`), join(directory, `front-proxy-ca.${kind}`));
  await assert.rejects(controlPlanePki(directory, options), /could pose as the front proxy/);
  assert.ok((await problemsIn(directory)).includes('front-proxy-ca.crt shared-ca'));
});

test('older public keys of service accounts are preserved', async (t) => {
  const directory = await temporaryDirectory(t);
  const { serviceAccount } = await controlPlanePki(directory, options);
  const both = `${createPublicKey(createKey()).export({ format: 'pem', type: 'spki' })}${serviceAccount.publicKeys}`;
  writeFileSync(join(directory, 'sa.pub'), both);
  const again = await controlPlanePki(directory, options);
  assert.deepEqual([again.made, again.serviceAccount.publicKeys], [[], both]);
});

test('a new service account key is added to the older ones', async (t) => {
  const directory = await temporaryDirectory(t);
  const { serviceAccount: first } = await controlPlanePki(directory, options);
  const broken = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n';
  writeFileSync(join(directory, 'sa.pub'), `${broken}${first.publicKeys}`);
  const key = createKey();
  writeFileSync(join(directory, 'sa.key'), key);
  const { serviceAccount: second, made } = await controlPlanePki(directory, options);
  const own = createPublicKey(key).export({ format: 'pem', type: 'spki' });
  assert.deepEqual([[...made], second.publicKeys], [['sa.pub'], `${own}${first.publicKeys}`]);
});

test('an invalid name is rejected before any write', async (t) => {
  const directory = await temporaryDirectory(t);
  await assert.rejects(
    controlPlanePki(directory, { nowMs, names: ['two words'] }),
    /"two words" is neither a DNS name nor an address/,
  );
  assert.deepEqual(await readdir(directory), []);
});

test('concurrent starts end with consistent certificates', async (t) => {
  const directory = await temporaryDirectory(t);
  await Promise.allSettled([1, 2, 3].map(() => controlPlanePki(directory, options)));
  await controlPlanePki(directory, options);
  assert.deepEqual(await problemsIn(directory), []);
});

/** Each row makes a certificate invalid in one way. */
const year = { nowMs, lifetimeMs: 365 * DAY_MS };
const findings: {
  name: string;
  file: string;
  request: Parameters<typeof issueLeaf>[1];
  life?: typeof year;
  ca?: string;
  want: string[];
}[] = [
  {
    name: 'wrong EKU',
    file: 'front-proxy-client',
    request: { commonName: 'front-proxy-client', usage: 'server' },
    want: ['wrong-usage'],
  },
  {
    name: 'CN not allowed',
    file: 'front-proxy-client',
    request: { commonName: 'mallory', usage: 'client' },
    want: ['wrong-name'],
  },
  {
    name: 'another CA',
    file: 'front-proxy-client',
    ca: 'ca',
    request: { commonName: 'front-proxy-client', usage: 'client' },
    want: ['unknown-signer'],
  },
  {
    name: 'expired',
    file: 'front-proxy-client',
    life: { nowMs: nowMs - 2 * DAY_MS, lifetimeMs: DAY_MS },
    request: { commonName: 'front-proxy-client', usage: 'client' },
    want: ['expired'],
  },
  {
    name: 'not valid yet',
    file: 'front-proxy-client',
    life: { nowMs: nowMs + DAY_MS, lifetimeMs: 99 * DAY_MS },
    request: { commonName: 'front-proxy-client', usage: 'client' },
    want: ['not-yet-valid'],
  },
  {
    name: 'expires soon',
    file: 'front-proxy-client',
    life: { nowMs, lifetimeMs: 29 * DAY_MS },
    request: { commonName: 'front-proxy-client', usage: 'client' },
    want: ['expires-soon'],
  },
  {
    name: 'missing SANs',
    file: 'apiserver',
    ca: 'server-ca',
    request: { commonName: 'kube-apiserver', usage: 'server' },
    want: ['missing-name'],
  },
  {
    name: 'no group',
    file: 'admin',
    ca: 'ca',
    request: { commonName: 'kubernetes-admin', usage: 'client' },
    want: ['wrong-name'],
  },
];
for (const { name, file, request, life = year, ca = 'front-proxy-ca', want } of findings) {
  test(`detected and repaired: ${name}`, async (t) => {
    const directory = await temporaryDirectory(t);
    await controlPlanePki(directory, options);
    const read = (kind: string) => readFileSync(join(directory, `${ca}.${kind}`), 'utf8');
    const pair = issueLeaf({ cert: read('crt'), key: read('key') }, request, validFor(life));
    writeFileSync(join(directory, `${file}.crt`), pair.cert);
    writeFileSync(join(directory, `${file}.key`), pair.key);
    assert.deepEqual(
      await problemsIn(directory),
      want.map((code) => `${file}.crt ${code}`),
    );
    assert.deepEqual(
      [...(await controlPlanePki(directory, options)).made],
      [`${file}.key`, `${file}.crt`],
    );
  });
}

test('detected: a leaf certificate instead of a CA', async (t) => {
  const directory = await temporaryDirectory(t);
  const { admin } = await controlPlanePki(directory, options);
  writeFileSync(join(directory, 'ca.crt'), admin.cert);
  assert.ok((await problemsIn(directory)).includes('ca.crt not-a-ca'));
});

test('detected: a key readable by other users', async (t) => {
  const directory = await temporaryDirectory(t);
  await controlPlanePki(directory, options);
  rmSync(join(directory, 'sa.key'));
  writeFileSync(join(directory, 'sa.key'), createKey(), { mode: 0o644 });
  assert.deepEqual(await problemsIn(directory), [
    'sa.key key-mismatch',
    'sa.key readable-by-others',
  ]);
});
