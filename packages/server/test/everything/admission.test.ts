/** Admission rules of an author: allow, refuse, change, warn, read other objects. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Type from 'typebox';
import {
  type AdmissionRules,
  allow,
  defineApi,
  defineResource,
  forbid,
  version,
} from '../../src/index.ts';
import { startTestServer } from '../../src/testing/index.ts';
import { outcomeOf, revisionOf } from './fixture.ts';

const Ban = defineResource({
  kind: 'Ban',
  plural: 'bans',
  scope: 'Cluster',
  versions: { v1: version({ fields: { names: Type.Array(Type.String()) } }) },
});

const noteV1 = version({
  spec: Type.Object({ text: Type.Optional(Type.String({ maxLength: 10 })) }),
  status: Type.Object({ read: Type.Optional(Type.Boolean()) }),
});
type Note = typeof noteV1 extends { objectType?: infer Object } ? NonNullable<Object> : never;

async function startNotes(t: TestContext, admit: AdmissionRules<Note>) {
  const Note = defineResource({
    kind: 'Note',
    plural: 'notes',
    scope: 'Namespaced',
    versions: { v1: noteV1 },
    subresources: { status: true },
    admit,
  });
  const api = defineApi({ group: 'rules.example.com', resources: [Note, Ban] });
  const server = await startTestServer(api);
  t.after(() => server.close());
  return { server, notes: server.client(Note), bans: server.client(Ban) };
}

const path = '/apis/rules.example.com/v1/namespaces/default/notes';

const names = [
  { metadata: { name: 'a' }, called: 'a' },
  { metadata: { generateName: 'a-' }, called: 'a-' },
  { metadata: {}, called: 'Unknown' },
];

for (const { metadata, called } of names) {
  test(`a new object that is refused is called ${called}`, async (t) => {
    const { server } = await startNotes(t, { create: () => forbid('not today') });
    const before = await revisionOf(server);
    const response = await server.request('POST', path, { body: { metadata, spec: {} } });
    assert.deepEqual(outcomeOf(response), {
      status: 403,
      reason: 'Forbidden',
      message: `notes.rules.example.com "${called}" is forbidden: not today`,
    });
    assert.equal(await revisionOf(server), before);
  });
}

test('each kind of write has its own rule, and reads have none', async (t) => {
  const asked: string[] = [];
  const { notes } = await startNotes(t, {
    create: ({ name, namespace, subresource, user }) => {
      asked.push(`create ${namespace}/${name}${subresource} ${user.name}`);
      return allow;
    },
    update: ({ name, subresource, object, oldObject }) => {
      asked.push(`update ${name}/${subresource} ${oldObject.spec.text}-${object.spec.text}`);
      return object.spec.text === 'bad' ? forbid('no such text') : allow;
    },
    delete: ({ name, oldObject }) => {
      asked.push(`delete ${name} ${oldObject.spec.text}`);
      return oldObject.spec.text === 'kept' ? forbid('it is kept') : allow;
    },
  });
  await notes.create({ metadata: { name: 'a' }, spec: { text: 'one' } });
  await notes.get('a');
  await notes.patch('a', { spec: { text: 'kept' } });
  await notes.patch('a', { status: { read: true } }, { subresource: 'status' });
  await assert.rejects(notes.patch('a', { spec: { text: 'bad' } }), {
    code: 403,
    message: 'notes.rules.example.com "a" is forbidden: no such text',
  });
  await assert.rejects(notes.delete('a'), {
    code: 403,
    message: 'notes.rules.example.com "a" is forbidden: it is kept',
  });
  await notes.patch('a', { spec: { text: 'free' } });
  await notes.delete('a');
  // A rule that refuses on the cached object is asked again on the stored one.
  assert.deepEqual(
    [...new Set(asked)],
    [
      'create default/a admin',
      'update a/ one-kept',
      'update a/status kept-kept',
      'update a/ kept-bad',
      'delete a kept',
      'update a/ kept-free',
      'delete a free',
    ],
  );
});

test('a rule may change what is written, within the schema', async (t) => {
  const { server, notes } = await startNotes(t, {
    create: ({ object }) => {
      object.spec.text ??= 'default';
      object.metadata.labels = { ...object.metadata.labels, seen: 'yes' };
      return allow;
    },
    update: ({ object }) => {
      object.spec.text = `${object.spec.text}!`;
      return allow;
    },
  });
  const made = await notes.create({ metadata: { name: 'a' }, spec: {} });
  assert.deepEqual([made.spec.text, made.metadata.labels], ['default', { seen: 'yes' }]);
  const { spec } = await notes.patch('a', { spec: { text: 'new' } });
  assert.equal(spec.text, 'new!');
  const before = await revisionOf(server);
  await assert.rejects(notes.patch('a', { spec: { text: '0123456789' } }), {
    code: 422,
    message:
      'Note.rules.example.com "a" is invalid: spec.text: Too long: may not be more than 10 bytes',
  });
  assert.equal(await revisionOf(server), before);
});

test('a rule may warn, whether it allows or not', async (t) => {
  const { server } = await startNotes(t, {
    create: ({ object, warn }) => {
      warn('notes are going away');
      return object.spec.text === 'bad' ? forbid('bad') : allow;
    },
  });
  for (const [text, status] of [
    ['good', 201],
    ['bad', 403],
  ] as const) {
    const body = { metadata: { name: text }, spec: { text } };
    const response = await server.request('POST', path, { body });
    assert.deepEqual([response.status, response.warnings], [status, ['notes are going away']]);
  }
});

test('a rule sees what was written last, of its own kind and of others', async (t) => {
  const { notes, bans } = await startNotes(t, {
    create: async ({ name, read }) =>
      (await read(Ban).list()).some((ban) => ban.names?.includes(name)) ? forbid('banned') : allow,
  });
  for (let round = 0; round < 5; round += 1) {
    const name = `n${round}`;
    await bans.create({ metadata: { name }, names: [name] });
    await assert.rejects(notes.create({ metadata: { name }, spec: {} }), { code: 403 });
    await bans.delete(name);
    await notes.create({ metadata: { name }, spec: {} });
  }
});

test('a rule is asked again about what another writer has left', async (t) => {
  const seen: string[] = [];
  let interfere: (() => Promise<unknown>) | undefined;
  const { notes } = await startNotes(t, {
    update: async ({ object, oldObject }) => {
      seen.push(`${oldObject.spec.text}-${object.spec.text}`);
      const act = interfere;
      interfere = undefined;
      await act?.();
      return allow;
    },
  });
  await notes.create({ metadata: { name: 'a' }, spec: { text: 'one' } });
  interfere = () => notes.patch('a', { spec: { text: 'two' } });
  const after = await notes.patch('a', { metadata: { labels: { x: 'y' } } });
  assert.deepEqual(seen, ['one-one', 'one-two', 'two-two']);
  assert.deepEqual([after.spec.text, after.metadata.labels], ['two', { x: 'y' }]);
});

test('a dry run is asked about like any write, and knows it', async (t) => {
  const { server, notes } = await startNotes(t, {
    create: ({ dryRun }) => (dryRun ? allow : forbid('only in theory')),
  });
  const note = { metadata: { name: 'a' }, spec: {} };
  await notes.create(note, { dryRun: 'All' });
  await assert.rejects(notes.create(note), { code: 403 });
  assert.deepEqual((await server.storage.list('/registry/')).items, []);
});

test('a rule that fails is a failure of the server, and nothing is written', async (t) => {
  const { server } = await startNotes(t, {
    create: () => {
      throw new Error('the author made a mistake');
    },
  });
  const before = await revisionOf(server);
  const response = await server.request('POST', path, { body: { metadata: { name: 'a' } } });
  assert.equal(response.status, 500);
  assert.doesNotMatch(response.text, /mistake/);
  assert.match(String(server.bugs[0]), /the author made a mistake/);
  assert.equal(await revisionOf(server), before);
});
