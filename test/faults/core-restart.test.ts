/** The control plane is stopped as operators do it and started again on the same data. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { httpsRequest, startProcess } from '../harness/index.ts';
import type { ApiClient } from './api-client.ts';
import { CORE_KINDS, collectionOf, NAMESPACES_PATH, readObject } from './core-objects.ts';
import { createCore, tributaryUp } from './core-program.ts';
import { withClient } from './namespace-run.ts';
import type { Target } from './target.ts';

const OBJECTS = 20;
const ACCOUNT = '/api/v1/namespaces/kept/serviceaccounts/robot';
/** Objects about the server itself, which follow its port and its life. */
const OWN = new Set(['leases', 'endpointslices']);

test('a second start goes on where the first stopped', async (t) => {
  const { target, dataDir } = await createCore(t);
  await target.start();
  const token = await withClient(target, 'first', async (client) => {
    await fill(client);
    return issueToken(client);
  });
  assert.equal(await whoIs(target, token), 'system:serviceaccount:kept:robot');
  const before = await snapshot(target);
  const files = await hashes(dataDir);

  await target.stop();
  await target.start();

  const after = await snapshot(target);
  assert.deepEqual(after.objects, before.objects, 'the same objects with their uids and versions');
  assert.deepEqual(await hashes(dataDir), files, 'the same certificates and keys');
  assert.equal(await whoIs(target, token), 'system:serviceaccount:kept:robot');
  assert.ok(after.revision >= before.revision, `${after.revision} comes after ${before.revision}`);
  await withClient(target, 'second', async (client) => {
    const made = await client.send('POST', NAMESPACES_PATH, { metadata: { name: 'later' } });
    const { revision } = readObject('namespaces', made.body);
    assert.ok(revision > before.revision, `${revision} comes after ${before.revision}`);
    const again = await client.send('POST', NAMESPACES_PATH, { metadata: { name: 'kept' } });
    assert.equal(again.status, 409, 'what was there is there');
  });
});

test('a second control plane on the same data is refused, and the first goes on', async (t) => {
  const { target, dataDir } = await createCore(t);
  await target.start();
  const second = await startProcess(t, { ...tributaryUp(dataDir), name: 'second' });
  const { code } = await second.exited;
  assert.equal(code, 1);
  assert.ok(
    second
      .log()
      .includes(`the data directory ${dataDir} is in use by process ${target.pid}: stop it`),
    second.log(),
  );
  assert.doesNotMatch(second.log(), / is ready at /);
  await withClient(target, 'first', async (client) => {
    const { status } = await client.send('GET', NAMESPACES_PATH);
    assert.equal(status, 200);
  });
});

async function fill(client: ApiClient): Promise<void> {
  const made = [await client.send('POST', NAMESPACES_PATH, { metadata: { name: 'kept' } })];
  for (const kind of CORE_KINDS) {
    for (let at = 0; at < OBJECTS; at += 1) {
      const object = { metadata: { name: `kept-${at}` }, ...kind.content };
      made.push(await client.send('POST', collectionOf(kind, 'kept'), object));
    }
  }
  const robot = { metadata: { name: 'robot' } };
  made.push(await client.send('POST', '/api/v1/namespaces/kept/serviceaccounts', robot));
  for (const { status, body } of made) assert.equal(status, 201, JSON.stringify(body));
}

async function issueToken(client: ApiClient): Promise<string> {
  const { status, body } = await client.send('POST', `${ACCOUNT}/token`, { spec: {} });
  assert.equal(status, 201, JSON.stringify(body));
  return (body as { status: { token: string } }).status.token;
}

async function whoIs(target: Target, token: string): Promise<string> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { status, body } = await httpsRequest((await target.url()) + path, {
    method: 'POST',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    token,
    ca: target.credentials.ca,
  });
  assert.equal(status, 201, body);
  return (JSON.parse(body) as { status: { userInfo: { username: string } } }).status.userInfo
    .username;
}

/** Every object of the kinds with its uid and version, as text, and the revision of the store. */
async function snapshot(target: Target): Promise<{ objects: string[]; revision: number }> {
  return withClient(target, 'reading', async (client) => {
    const objects: string[] = [];
    let revision = 0;
    const paths = [
      { plural: 'namespaces', path: NAMESPACES_PATH },
      ...CORE_KINDS.map((kind) => ({ plural: kind.plural, path: collectionOf(kind) })),
    ];
    for (const { plural, path } of paths) {
      const { body } = await client.send('GET', path);
      const list = body as { items: object[]; metadata: { resourceVersion: string } };
      revision = Math.max(revision, Number(list.metadata.resourceVersion));
      const retained = list.items.filter(
        (item) => !OWN.has(plural) || readObject(plural, item).namespace === 'kept',
      );
      objects.push(...retained.map((item) => `${plural} ${JSON.stringify(item)}`));
    }
    return { objects, revision };
  });
}

async function hashes(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, 'pki');
  const names = (await readdir(folder)).sort();
  const hashed = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return [name, createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashed));
}
