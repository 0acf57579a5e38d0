/** One damaged value in the store: the object that it was is an error, and everything else is served. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { StatusError } from '@tributary/apimachinery';
import { type Client, createClient, loadConfig } from '@tributary/client';
import {
  eventuallySucceeds,
  logShows,
  startProcess,
  temporaryDirectory,
} from '../harness/index.ts';
import { tributaryUp } from './core-program.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const KEY = '/registry/core/configmaps/default/bad';
const READ_ERROR = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';

async function startUp(t: TestContext, dataDir: string) {
  const ready = logShows(/is ready at/);
  const server = await startProcess(t, { ...tributaryUp(dataDir), ready });
  const client = createClient(await loadConfig({ kubeconfig: join(dataDir, 'admin.kubeconfig') }));
  t.after(() => client.close());
  return { server, client };
}

/** A byte of a value as it lies on the disk of a server that has stopped. */
async function damage(dataDir: string, marker: string): Promise<void> {
  const file = join(dataDir, 'store.db');
  const content = await readFile(file);
  const at = content.lastIndexOf(marker);
  assert.notEqual(at, -1, 'the value is in the file');
  content.write('#', at);
  await writeFile(file, content);
}

async function send(client: Client, method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' };
  const sent = body && { headers, body: Buffer.from(JSON.stringify(body)) };
  try {
    const { status, body: response } = await client.transport.request(method, path, {
      retriesMax: 0,
      ...sent,
    });
    return { code: status, reason: '', text: String(response) };
  } catch (error) {
    const { status } = error as StatusError;
    return { code: status.code, reason: status.reason ?? '', text: status.message ?? '' };
  }
}

function configMap(name: string, text: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } };
}

test('a damaged object is an error, everything else is served, and it can be deleted', async (t) => {
  const dataDir = await temporaryDirectory(t, 'tributary-damaged-');
  const first = await startUp(t, dataDir);
  const created = (path: string, body: object) =>
    eventuallySucceeds(async () => {
      assert.equal((await send(first.client, 'POST', path, body)).code, 201);
    });
  await created(CONFIG_MAPS, configMap('bad', 'MARKER-OF-THE-BAD-ONE'));
  await created(CONFIG_MAPS, configMap('good', 'fine'));
  await created('/api/v1/namespaces/kube-system/configmaps', configMap('other', 'fine'));
  await created('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'deleter' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['delete', 'get'] }],
  });
  await created('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'deleter' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'deleter' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
  await first.server.stop();
  await damage(dataDir, 'MARKER-OF-THE-BAD-ONE');

  const { client } = await startUp(t, dataDir);
  const bad = `${CONFIG_MAPS}/bad`;
  const errors: readonly (readonly [string, string, object?])[] = [
    ['GET', bad],
    ['GET', CONFIG_MAPS],
    ['GET', `${CONFIG_MAPS}?limit=1`],
    ['GET', `${CONFIG_MAPS}?labelSelector=a`],
    ['GET', '/api/v1/configmaps'],
    ['PUT', bad, configMap('bad', 'new')],
    ['DELETE', bad],
    ['DELETE', CONFIG_MAPS],
  ];
  for (const [method, path, body] of errors) {
    const { code, reason, text } = await send(client, method, path, body);
    assert.equal(code, 500, `${method} ${path}: ${text}`);
    assert.equal(reason, 'StorageReadError', `${method} ${path}`);
    assert.ok(text.includes(KEY), `${method} ${path} names the key: ${text}`);
  }
  const initial = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
  const watch = await client.transport.stream('GET', `${CONFIG_MAPS}?${initial}`);
  let events = '';
  for await (const chunk of watch.body) events += chunk;
  assert.match(events, /"type":"ERROR".*StorageReadError/);
  assert.ok(events.includes(KEY), events);
  for (const path of [
    `${CONFIG_MAPS}/good`,
    '/api/v1/namespaces/kube-system/configmaps',
    '/api/v1/namespaces/default/secrets',
    '/api/v1/namespaces',
    '/readyz',
  ]) {
    assert.equal((await send(client, 'GET', path)).code, 200, path);
  }
  assert.equal((await send(client, 'POST', CONFIG_MAPS, configMap('more', 'a'))).code, 201);

  const asJane = await fetchAs(client, 'jane', `${bad}?${READ_ERROR}`);
  assert.equal(asJane.code, 403);
  assert.match(asJane.text, /not permitted to do "unsafe-delete-ignore-read-errors"/);
  const sound = await send(client, 'DELETE', `${CONFIG_MAPS}/good?${READ_ERROR}`);
  assert.equal(sound.code, 409);
  assert.match(sound.text, /the object is decodable from storage/);
  assert.equal((await send(client, 'DELETE', `${CONFIG_MAPS}?${READ_ERROR}`)).code, 422);
  assert.equal((await send(client, 'DELETE', `${bad}?${READ_ERROR}&dryRun=All`)).code, 200);
  assert.equal((await send(client, 'GET', bad)).code, 500, 'a dry run deletes nothing');
  assert.equal((await send(client, 'DELETE', `${bad}?${READ_ERROR}`)).code, 200);
  assert.equal((await send(client, 'GET', bad)).code, 404);
  assert.equal((await send(client, 'DELETE', `${bad}?${READ_ERROR}`)).code, 404);
  for (const path of [CONFIG_MAPS, '/api/v1/configmaps']) {
    assert.equal((await send(client, 'GET', path)).code, 200, path);
  }
});

test('a damaged object that the server needs ends it with one line', async (t) => {
  const dataDir = await temporaryDirectory(t, 'tributary-damaged-');
  const first = await startUp(t, dataDir);
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'bad', annotations: { a: 'MARKER-OF-THE-ROLE' } },
    rules: [],
  };
  assert.equal((await send(first.client, 'POST', path, role)).code, 201);
  await first.server.stop();
  await damage(dataDir, 'MARKER-OF-THE-ROLE');
  const server = await startProcess(t, tributaryUp(dataDir));
  assert.deepEqual(await server.exited, { code: 1, signal: null });
  const line = /tributary up: unable to read the stored object \S+clusterroles\/bad: .*; exiting\n/;
  assert.match(server.log(), line);
});

async function fetchAs(client: Client, user: string, path: string) {
  try {
    const { status, body } = await client.transport.request('DELETE', path, {
      headers: { 'impersonate-user': user },
      retriesMax: 0,
    });
    return { code: status, text: String(body) };
  } catch (error) {
    const { status } = error as StatusError;
    return { code: status.code, text: status.message ?? '' };
  }
}
