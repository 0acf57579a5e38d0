/** The user of a request, from the client through the aggregator to an extension server, with unusual header names. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { httpsRequest, type RequestOptions, suiteScope } from '../harness/index.ts';
import { type AuditedUser, type AuditLog, auditLog } from './fault-audit.ts';
import { createGateway } from './fault-gateway.ts';
import { createFaultyWardle, type FaultyWardle, registerFaultyWardle } from './fault-wardle.ts';
import { type Gateway, must, serverName } from './gateway-program.ts';
import { flundersPath } from './registration-objects.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'requestheader-username-headers': ['X-Gate-User', 'X-Remote-User'],
  'requestheader-uid-headers': ['X-Gate-Uid', 'X-Remote-Uid'],
  'requestheader-group-headers': ['X-Gate-Group', 'X-Remote-Group'],
  'requestheader-extra-headers-prefix': ['X-Gate-Extra-', 'X-Remote-Extra-'],
};
const FLUNDERS = flundersPath('v1alpha1');
const MANY = Array.from({ length: 1_500 }, (_, index) => `${'group'.repeat(10)}-${index}`);

interface Row {
  readonly name: string;
  readonly headers: RequestOptions['headers'];
  readonly user: AuditedUser;
}

const ADMIN: AuditedUser = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};
const impersonated = (headers: RequestOptions['headers']): RequestOptions['headers'] => ({
  'Impersonate-User': 'jane',
  'Impersonate-Group': ['system:masters'],
  ...headers,
});

/** Requests to the gateway, and the users that the server behind it sees. */
const throughGateway: readonly Row[] = [
  {
    name: 'several groups, and commas in them',
    headers: impersonated({ 'Impersonate-Group': ['system:masters', 'a, b', 'c'] }),
    user: {
      username: 'jane',
      groups: ['system:masters', 'a, b', 'c', 'system:authenticated'],
    },
  },
  {
    name: 'a uid, and extra keys beyond ASCII, with slashes and percent signs',
    headers: impersonated({
      'Impersonate-Uid': '7',
      'Impersonate-Extra-caf%C3%A9.example.com%2Frole': ['one', 'two, three'],
      'Impersonate-Extra-a%2525b': 'c',
    }),
    user: {
      username: 'jane',
      uid: '7',
      groups: ['system:masters', 'system:authenticated'],
      extra: { 'café.example.com/role': ['one', 'two, three'], 'a%25b': ['c'] },
    },
  },
  {
    name: 'a hundred kilobytes of groups',
    headers: impersonated({ 'Impersonate-Group': ['system:masters', ...MANY] }),
    user: { username: 'jane', groups: ['system:masters', ...MANY, 'system:authenticated'] },
  },
  {
    name: 'an identity that the client has made up, by the usual names',
    headers: {
      'X-Remote-User': 'root',
      'X-Remote-Group': 'evil',
      'X-Remote-Uid': '0',
      'X-Remote-Extra-Evil': 'yes',
    },
    user: ADMIN,
  },
  {
    name: 'and by the names of this gateway',
    headers: {
      'X-Gate-User': 'root',
      'X-Gate-Group': 'evil',
      'X-Gate-Uid': '0',
      'X-Gate-Extra-Evil': 'yes',
    },
    user: ADMIN,
  },
  {
    name: 'a made-up identity that the connection is said to keep to itself',
    headers: { Connection: 'close, X-Gate-User, X-Remote-User', 'X-Gate-User': 'root' },
    user: ADMIN,
  },
];

describe('headers of a front proxy with names of their own', () => {
  const scope = suiteScope('headers');
  let gateway: Gateway;
  let wardle: FaultyWardle;
  let audit: AuditLog;
  before(async () => {
    const flags = Object.entries(names).map(([name, values]) => `--${name}=${values.join(',')}`);
    const restarted = await createGateway(scope, flags);
    await restarted.start();
    gateway = restarted.current;
    audit = await auditLog(scope);
    wardle = await createFaultyWardle(scope, gateway, audit.flags);
    await wardle.start();
    await registerFaultyWardle(gateway, wardle);
  });

  test('are in the ConfigMap that extension servers read', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const { data } = (await must(gateway.send('GET', path))) as { data: Record<string, string> };
    for (const [name, values] of Object.entries(names)) {
      const published = JSON.parse(data[name] ?? '') as string[];
      // Names of headers have no case.
      assert.deepEqual(
        published.map((one) => one.toLowerCase()),
        values.map((one) => one.toLowerCase()),
        name,
      );
    }
  });

  test('are believed by an extension server, from whoever has the certificate of the front proxy', async () => {
    const pki = join(dirname(gateway.kubeconfig), 'pki');
    const [cert, key] = await Promise.all(
      ['crt', 'key'].map((end) => readFile(join(pki, `front-proxy-client.${end}`), 'utf8')),
    );
    const headers = {
      'X-Gate-User': 'jane',
      'X-Gate-Uid': '7',
      'X-Gate-Group': ['system:masters', 'a, b'],
      'X-Gate-Extra-Team': ['blue', 'green'],
    };
    const ask = (credentials: RequestOptions, marker: string) =>
      httpsRequest(`https://127.0.0.1:${wardle.port}${FLUNDERS}?labelSelector=${marker}`, {
        ca: wardle.authority.cert,
        servername: serverName(),
        headers,
        ...credentials,
      });
    assert.ok(cert !== undefined && key !== undefined);
    assert.equal((await ask({ cert, key }, 'proxy')).status, 200);
    assert.deepEqual(await audit.userOf('proxy'), {
      username: 'jane',
      uid: '7',
      groups: ['system:masters', 'a, b', 'system:authenticated'],
      extra: { team: ['blue', 'green'] },
    });
    // Identity headers of other clients are ignored.
    const { cert: adminCert, key: adminKey } = gateway.credentials;
    const asAdmin = { ...(adminCert && { cert: adminCert }), ...(adminKey && { key: adminKey }) };
    assert.equal((await ask(asAdmin, 'somebody')).status, 200);
    assert.equal((await audit.userOf('somebody')).username, ADMIN.username);
    assert.equal((await ask({}, 'nobody')).status, 403);
    assert.equal((await audit.userOf('nobody')).username, 'system:anonymous');
  });

  for (const [index, { name, headers = {}, user }] of throughGateway.entries()) {
    for (const http of ['1.1', '2'] as const) {
      if (http === '2' && 'Connection' in headers) continue; // There is no such header.
      test(`${name}, over HTTP/${http}`, async () => {
        const marker = `row-${index}-${http}`;
        const url = `${gateway.url}${FLUNDERS}?labelSelector=${marker}`;
        const { status, body } = await httpsRequest(url, { ...gateway.credentials, headers, http });
        assert.equal(status, 200, body);
        const seen = await audit.userOf(marker);
        assert.deepEqual(withoutCredential(seen), user);
      });
    }
  }
});

/** The credential's own mark, which a user of a certificate has. */
function withoutCredential({ extra = {}, ...user }: AuditedUser): AuditedUser {
  const { 'authentication.kubernetes.io/credential-id': _, ...others } = extra;
  return Object.keys(others).length === 0 ? user : { ...user, extra: others };
}
