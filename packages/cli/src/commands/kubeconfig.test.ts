import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { loadConfig, parseKubeconfig } from '@tributary/client';
import { freePort, runSource, temporaryDirectory } from '../../../../test/harness/index.ts';
import { makeKubeconfig } from './kubeconfig/make-kubeconfig.ts';
import { initCertificates } from './pki/init.ts';

const plain = { group: [], namespace: 'default' };

async function dataDirectory(t: TestContext): Promise<string> {
  const dataDir = await temporaryDirectory(t);
  await initCertificates({ dataDir, name: [], address: [] });
  return dataDir;
}

async function certificateIn(kubeconfig: string): Promise<X509Certificate> {
  const { identity } = await parseKubeconfig(kubeconfig, { file: 'printed' });
  const source = identity.certificate?.certificate;
  assert.ok(source !== undefined && 'pem' in source);
  return new X509Certificate(source.pem);
}

/** A server of that data directory which gives tokens to its administrator and knows one service account. */
async function tokenServer(
  t: TestContext,
  dataDir: string,
): Promise<{ url: string; asked: unknown[] }> {
  const pem = (name: string): string => readFileSync(join(dataDir, 'pki', name), 'utf8');
  const asked: unknown[] = [];
  const tls = {
    cert: pem('apiserver.crt'),
    key: pem('apiserver.key'),
    ca: pem('ca.crt'),
    requestCert: true,
  };
  const server = createServer(tls, async (request, response) => {
    const chunks = await request.toArray();
    const user = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
    asked.push({
      user,
      method: request.method,
      url: request.url,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    const isKnown = request.url === '/api/v1/namespaces/eu/serviceaccounts/robot/token';
    response.writeHead(isKnown ? 201 : 404, { 'content-type': 'application/json' });
    const message = 'serviceaccounts "nobody" not found';
    response.end(
      JSON.stringify(
        isKnown
          ? { status: { token: 'a.b.c' } }
          : { kind: 'Status', status: 'Failure', code: 404, message },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('of the administrator, for the server that was started last', async (t) => {
  const dataDir = await dataDirectory(t);
  const first = await makeKubeconfig({ dataDir, ...plain });
  const config = await parseKubeconfig(first, { file: 'printed' });
  assert.equal(config.server, 'https://127.0.0.1:6443');
  assert.deepEqual(config.ca, { pem: readFileSync(join(dataDir, 'pki', 'server-ca.crt'), 'utf8') });
  assert.equal((await certificateIn(first)).subject, 'O=system:masters\nCN=kubernetes-admin');
  writeFileSync(join(dataDir, 'admin.kubeconfig'), first.replace(':6443', ':7443'));
  const second = await makeKubeconfig({ dataDir, ...plain });
  assert.equal(
    (await parseKubeconfig(second, { file: 'printed' })).server,
    'https://127.0.0.1:7443',
  );
});

test('of a user: a client certificate with its groups, from the CA of clients', async (t) => {
  const dataDir = await dataDirectory(t);
  const flags = {
    dataDir,
    user: 'jane',
    group: ['dev', 'ops, eu'],
    duration: '8h',
    namespace: 'eu',
  };
  const text = await makeKubeconfig({ ...flags, server: 'https://api.example.com:8443' });
  const config = await parseKubeconfig(text, { file: 'printed' });
  assert.deepEqual([config.server, config.namespace], ['https://api.example.com:8443', 'eu']);
  const leaf = await certificateIn(text);
  const ca = new X509Certificate(readFileSync(join(dataDir, 'pki', 'ca.crt')));
  assert.ok(leaf.checkIssued(ca) && leaf.verify(ca.publicKey));
  assert.deepEqual({ ...leaf.toLegacyObject().subject }, { O: ['dev', 'ops, eu'], CN: 'jane' });
  assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  const hours = (leaf.validToDate.getTime() - Date.now()) / 3_600_000;
  assert.ok(hours > 7.9 && hours <= 8);
});

test('of a service account: a token, which the administrator asks the server for', async (t) => {
  const dataDir = await dataDirectory(t);
  const { url: server, asked } = await tokenServer(t, dataDir);
  const serviceAccount = { namespace: 'eu', name: 'robot' };
  const text = await makeKubeconfig({ dataDir, ...plain, serviceAccount, server, duration: '20m' });
  const { identity } = await parseKubeconfig(text, { file: 'printed' });
  assert.deepEqual(identity, { authorization: { kind: 'token', token: 'a.b.c' } });
  assert.deepEqual(asked, [
    {
      user: 'kubernetes-admin',
      method: 'POST',
      url: '/api/v1/namespaces/eu/serviceaccounts/robot/token',
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 1200 },
      },
    },
  ]);
  const nobody = { namespace: 'eu', name: 'nobody' };
  await assert.rejects(
    makeKubeconfig({ dataDir, ...plain, serviceAccount: nobody, server }),
    /gives no token for eu\/nobody: serviceaccounts "nobody" not found/,
  );
});

const refused: { name: string; flags: object; damage?: (dataDir: string) => void; why: RegExp }[] =
  [
    {
      name: 'two identities',
      flags: { user: 'a', serviceAccount: { namespace: 'a', name: 'b' } },
      why: /choose one/,
    },
    { name: 'groups of nobody', flags: { group: ['a'] }, why: /--group needs --user/ },
    { name: 'a user without a name', flags: { user: '' }, why: /needs a name/ },
    {
      name: 'a time for the administrator',
      flags: { duration: '1h' },
      why: /--duration needs --user or --service-account/,
    },
    {
      name: 'a time without a unit',
      flags: { user: 'a', duration: '10' },
      why: /--duration: .*missing unit/,
    },
    { name: 'no time at all', flags: { user: 'a', duration: '0s' }, why: /at least 1s/ },
    {
      name: 'a server without TLS',
      flags: { server: 'http://a' },
      why: /write it as https:\/\/HOST:PORT/,
    },
    {
      name: 'no certificates',
      flags: { dataDir: '/nonexistent' },
      why: /"tributary pki init" makes it/,
    },
    {
      name: 'a user when the key of the CA is elsewhere',
      flags: { user: 'a' },
      damage: (dataDir) => rmSync(join(dataDir, 'pki', 'ca.key')),
      why: /ca\.key is not in .*: only who has it can sign/,
    },
  ];
for (const { name, flags, damage, why } of refused) {
  test(`refused: ${name}`, async (t) => {
    const dataDir = await dataDirectory(t);
    damage?.(dataDir);
    await assert.rejects(makeKubeconfig({ dataDir, ...plain, ...flags }), why);
  });
}

test('command line: a file for its owner alone, and a sentence when no server runs', async (t) => {
  const dataDir = await dataDirectory(t);
  const output = join(dataDir, 'jane.kubeconfig');
  const ok = tributary(
    '--data-dir',
    dataDir,
    '--user',
    'jane',
    '--group',
    'a',
    '--group',
    'b',
    '--output',
    output,
  );
  assert.equal(ok.status, 0, ok.stderr);
  assert.equal(statSync(output).mode & 0o777, 0o600);
  await loadConfig({ kubeconfig: output });
  const server = `https://127.0.0.1:${await freePort()}`;
  const down = tributary(
    '--data-dir',
    dataDir,
    '--service-account',
    'eu/robot',
    '--server',
    server,
  );
  assert.equal(down.status, 1);
  assert.match(
    down.stderr,
    /^tributary: no server answers at https:\S+ \(ECONNREFUSED\): a token comes from a running server/,
  );
  assert.doesNotMatch(down.stderr, /^ +at /m);
});

function tributary(...args: string[]) {
  const { command, args: all } = runSource(join(import.meta.dirname, '..', 'main.ts'), [
    'kubeconfig',
    ...args,
  ]);
  return spawnSync(command, all, { encoding: 'utf8' });
}
