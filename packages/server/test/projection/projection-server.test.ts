/** A kind that lives in something else, through the whole server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageUnavailable } from '@tributary/storage';
import { hashOf, type Secret } from '../author/ranchertokens.ts';
import { eventually } from './feed-recorder.ts';
import { applySecret, secretOf } from './secrets-source.ts';
import { all, brief, eventsOf, names, secret, start, token, tokens } from './token-server.ts';

describe('tokens that are Secrets', () => {
  test('one lives from create to delete, and is a Secret meanwhile', async (t) => {
    const { call, fake } = await start(t);
    const created = await call('POST', tokens, token('a', { labels: { team: 'x' } }));
    assert.equal(created.status, 201, created.body.message);
    const { plaintextToken = '', hash } = created.body.status;
    assert.equal(hash, hashOf(plaintextToken));
    assert.equal(
      created.body.metadata.resourceVersion,
      secretOf(fake, 'eu/a')?.metadata.resourceVersion,
    );
    assert.ok(!JSON.stringify(secretOf(fake, 'eu/a')).includes(plaintextToken));
    assert.ok(!JSON.stringify(secretOf(fake, 'eu/a')).includes(btoa(plaintextToken)));

    const { body: read } = await call('GET', `${tokens}/a`);
    assert.deepEqual(
      read,
      { ...created.body, status: { hash } },
      'everything but what is shown once',
    );

    const merge = 'application/merge-patch+json';
    const patched = await call('PATCH', `${tokens}/a`, { spec: { enabled: false } }, merge);
    assert.equal(patched.status, 200, patched.body.message);
    assert.equal(atob(secretOf(fake, 'eu/a')?.data?.enabled ?? ''), 'false');
    assert.equal((await call('PUT', `${tokens}/a`, read)).body.reason, 'Conflict');

    assert.equal((await call('DELETE', `${tokens}/a`)).status, 200);
    assert.equal(secretOf(fake, 'eu/a'), undefined);
    assert.equal((await call('GET', `${tokens}/a`)).status, 404);
  });

  test('a change at the source is in a running watch, once, and in its place', async (t) => {
    const subject = await start(t);
    const { fake, call } = subject;
    const { body: list } = await call('GET', all);
    await using stream = await subject.watch(`&resourceVersion=${list.metadata.resourceVersion}`);
    await call('POST', tokens, token('ours'));
    applySecret(fake, secret('theirs'));
    applySecret(fake, secret('hidden', { label: 'other' }));
    applySecret(fake, secret('ours', { userID: 'changed' }));
    await call('DELETE', `${tokens}/ours`);
    applySecret(fake, secret('hidden'));
    applySecret(fake, secret('theirs', { label: 'other' }));
    fake.remove('eu/hidden');
    await call('POST', tokens, token('last'));
    assert.deepEqual((await eventsOf(stream, 8)).map(brief), [
      'ADDED ours of ada',
      'ADDED theirs of grace',
      'MODIFIED ours of changed',
      'DELETED ours of changed',
      'ADDED hidden of grace',
      'DELETED theirs of grace',
      'DELETED hidden of grace',
      'ADDED last of ada',
    ]);
  });

  test('a Secret without the label is never seen, and its name is taken', async (t) => {
    const subject = await start(t);
    const { fake, call } = subject;
    applySecret(fake, secret('hidden', { label: 'other' }));
    assert.deepEqual(await names(subject), []);
    assert.equal((await call('GET', `${tokens}/hidden`)).status, 404);
    assert.equal((await call('DELETE', `${tokens}/hidden`)).status, 404);
    const before = secretOf(fake, 'eu/hidden');
    const taken = await call('POST', tokens, token('hidden'));
    assert.equal(taken.status, 409);
    assert.equal(taken.body.reason, 'AlreadyExists');
    assert.deepEqual(secretOf(fake, 'eu/hidden'), before);
  });

  test('a change that meets another one at the source is made again, on what is there', async (t) => {
    const { fake, call } = await start(t);
    await call('POST', tokens, token('a'));
    fake.holdsChanges = true;
    const theirs = secretOf(fake, 'eu/a') as Secret;
    applySecret(fake, {
      ...theirs,
      data: { ...theirs.data, userID: btoa('grace'), extra: btoa('kept') },
    });
    const merge = 'application/merge-patch+json';
    const patching = call('PATCH', `${tokens}/a`, { spec: { ttlSeconds: 5 } }, merge);
    await eventually(() => fake.calls.includes('update'));
    fake.holdsChanges = false;
    fake.wake();
    const { status, body } = await patching;
    assert.equal(status, 200, body.message);
    assert.deepEqual(body.spec, { userID: 'grace', ttlSeconds: 5, enabled: true });
    assert.equal(secretOf(fake, 'eu/a')?.data?.extra, btoa('kept'));
    assert.equal(fake.calls.filter((call) => call === 'update').length, 2);
  });

  test('finalizers hold a Secret as they hold any object', async (t) => {
    const { fake, call } = await start(t);
    await call('POST', tokens, token('a', { finalizers: ['example.com/hold'] }));
    assert.equal((await call('DELETE', `${tokens}/a`)).status, 200);
    const { body: waiting } = await call('GET', `${tokens}/a`);
    assert.ok(waiting.metadata.deletionTimestamp);
    assert.ok(secretOf(fake, 'eu/a'));
    const { finalizers: _held, ...metadata } = waiting.metadata;
    assert.equal((await call('PUT', `${tokens}/a`, { ...waiting, metadata })).status, 200);
    assert.equal(secretOf(fake, 'eu/a'), undefined);
  });

  test('pages are of one revision while the source goes on', async (t) => {
    const { fake, call } = await start(t);
    for (const name of ['a', 'b', 'c', 'd', 'e']) applySecret(fake, secret(name));
    const first = await call('GET', `${all}?limit=2`);
    fake.remove('eu/d');
    applySecret(fake, secret('c', { userID: 'later' }));
    applySecret(fake, secret('cc'));
    await eventually(async () => (await call('GET', `${tokens}/cc`)).status === 200);
    const token2 = encodeURIComponent(first.body.metadata.continue ?? '');
    const rest = await call('GET', `${all}?limit=10&continue=${token2}`);
    const listed = [...first.body.items, ...rest.body.items];
    assert.deepEqual(
      listed.map(({ metadata, spec }) => `${metadata.name} ${spec.userID}`),
      ['a grace', 'b grace', 'c grace', 'd grace', 'e grace'],
    );
    assert.equal(rest.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
  });

  test('a watch resumes after a restart, or gets 410', async (t) => {
    const before = await start(t);
    const { fake } = before;
    const old = await before.call('POST', tokens, token('a'));
    const { body: seen } = await before.call('POST', tokens, token('b'));
    await before.close();
    const subject = await start(t, fake);
    assert.deepEqual(await names(subject), ['a', 'b']);
    await using stream = await subject.watch(`&resourceVersion=${seen.metadata.resourceVersion}`);
    applySecret(fake, secret('c'));
    assert.deepEqual((await eventsOf(stream, 1)).map(brief), ['ADDED c of grace']);
    await using stale = await subject.watch(
      `&resourceVersion=${old.body.metadata.resourceVersion}`,
    );
    const [gone] = await eventsOf(stale, 1);
    assert.equal(gone?.type, 'ERROR');
    assert.equal(gone?.object.code, 410);
    const { body: read, status } = await subject.call('GET', `${tokens}/a`);
    assert.equal(status, 200);
    assert.equal(read.metadata.resourceVersion, old.body.metadata.resourceVersion);
    read.spec.enabled = false;
    assert.equal((await subject.call('PUT', `${tokens}/a`, read)).status, 200);
  });

  test('while the source is away writes are refused with a wait, and it recovers', async (t) => {
    const subject = await start(t);
    const { fake, call, bugs } = subject;
    await call('POST', tokens, token('a'));
    fake.unavailable = true;
    fake.wake();
    const refused = await call('POST', tokens, token('b'));
    assert.equal(refused.body.reason, 'ServerTimeout', JSON.stringify(refused.body));
    assert.equal(refused.status, 500);
    assert.ok(bugs.every((bug) => bug instanceof StorageUnavailable));
    assert.deepEqual(await names(subject), ['a'], 'a short outage does not hide what is known');
    fake.unavailable = false;
    await eventually(async () => (await call('POST', tokens, token('b'))).status === 201);
    assert.deepEqual(await names(subject), ['a', 'b']);
  });
});
