import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { EventHandler, Informer } from '@tributary/client';
import { anApiService } from '../../test/registration-fixture.ts';
import { decodeRegistration } from '../api-services/decode-registration.ts';
import { annotations, type Registration } from '../api-services/registration.ts';
import type { RegistrationListener } from './registrations.ts';
import { snapshotOf, watchRegistrations } from './watch-registrations.ts';

const NAME = 'v1.a.example.com';
const of = (uid: string, more: Parameters<typeof anApiService>[1] = {}) =>
  anApiService(NAME, { ...more, metadata: { uid, ...more.metadata } });

/** The side of an informer that tells, in the hand of a test. */
function events() {
  const handlers: EventHandler<APIService>[] = [];
  const problems: string[] = [];
  const subscription = {
    synced: true,
    pending: 0,
    whenSynced: async () => {},
    close: () => handlers.splice(0),
  };
  const informer = {
    addHandler: (handler: EventHandler<APIService>) => {
      handlers.push(handler);
      return subscription;
    },
  } as unknown as Informer<APIService>;
  const followed = watchRegistrations(informer, {
    onProblems: (name, all) => problems.push(`${name}: ${all.length}`),
  });
  const add = (object: APIService) => handlers[0]?.onAdd?.(object, { initial: false });
  const update = (old: APIService, object: APIService) => handlers[0]?.onUpdate?.(old, object);
  const remove = (object: APIService) =>
    handlers[0]?.onDelete?.(object, { finalStateUnknown: false });
  return { followed, add, update, remove, problems };
}

function listenerLog(isCurrent: (registration: Registration) => boolean = () => true) {
  const log: string[] = [];
  const listener: RegistrationListener = {
    changed: (registration, before) => {
      assert.ok(isCurrent(registration), 'told before it is in the snapshot');
      log.push(`changed ${registration.uid}${before ? ` was ${before.uid}` : ''}`);
    },
    removed: ({ uid }) => log.push(`removed ${uid}`),
  };
  return { log, listener };
}

test('a listener hears what is there, and then of every change', () => {
  const { followed, add, update, remove } = events();
  const { log, listener } = listenerLog(({ name, uid }) => {
    return followed.current.byName(name)?.uid === uid;
  });
  add(of('1'));
  const stop = followed.onChange(listener);
  assert.deepEqual(log, ['changed 1']);
  update(of('1'), of('1', { spec: { versionPriority: 3 } }));
  remove(of('1', { spec: { versionPriority: 3 } }));
  assert.deepEqual(log.slice(1), ['changed 1 was 1', 'removed 1']);
  assert.equal(followed.current.byName(NAME), undefined);
  stop();
  add(of('2'));
  assert.equal(log.length, 3);
  assert.equal(followed.current.byName(NAME)?.uid, '2');
});

test('what only says how it is, is no change', () => {
  const { followed, add, update } = events();
  const url = { annotations: { [annotations.url]: 'https://a.example.com' } };
  add(of('1', { metadata: url }));
  const { log, listener } = listenerLog();
  followed.onChange(listener);
  const { current } = followed;
  const next = of('1', { metadata: { ...url, resourceVersion: '9', labels: { a: 'b' } } });
  update(of('1'), { ...next, status: { conditions: [] } });
  assert.deepEqual(log, ['changed 1']);
  assert.equal(followed.current, current);
});

test('another URL is a change', () => {
  const { followed, add, update } = events();
  const at = (url: string) => of('1', { metadata: { annotations: { [annotations.url]: url } } });
  add(at('https://a.example.com'));
  const { log, listener } = listenerLog();
  followed.onChange(listener);
  update(at('https://a.example.com'), at('https://b.example.com'));
  assert.deepEqual(log, ['changed 1', 'changed 1 was 1']);
  assert.equal(followed.current.byName(NAME)?.remote?.url?.hostname, 'b.example.com');
});

test('deleted and made again is another one', () => {
  const { followed, add, update, remove } = events();
  add(of('1'));
  const { log, listener } = listenerLog();
  followed.onChange(listener);
  // As told by an informer that was too slow to see the end of the first.
  update(of('1'), of('2'));
  assert.deepEqual(log, ['changed 1', 'removed 1', 'changed 2']);
  // The end of the first, heard too late.
  remove(of('1'));
  assert.deepEqual(log.slice(3), []);
  assert.equal(followed.current.byName(NAME)?.uid, '2');
});

test('a request sees one state from end to end', () => {
  const { followed, add, remove } = events();
  add(of('1'));
  const { current } = followed;
  remove(of('1'));
  assert.equal(current.byName(NAME)?.uid, '1');
  assert.equal(current.byGroupVersion('a.example.com', 'v1')?.uid, '1');
  assert.deepEqual(followed.current.all, []);
});

test('annotations that cannot be are told once for each change', () => {
  const { add, update, problems } = events();
  const bad = { metadata: { annotations: { [annotations.watchesMax]: 'x' } } };
  add(of('1', bad));
  update(of('1', bad), of('1', { metadata: { ...bad.metadata, resourceVersion: '2' } }));
  assert.deepEqual(problems, [`${NAME}: 1`]);
});

test('after its end nobody is told', () => {
  const { followed, add } = events();
  const { log, listener } = listenerLog();
  followed.onChange(listener);
  followed.close();
  add(of('1'));
  assert.deepEqual(log, []);
});

const names = ['v1.', 'v1.a.example.com', 'v2.a.example.com', 'v1.b.example.com', 'v1.__proto__'];
const snapshot = snapshotOf(
  names.map((name) => decodeRegistration(anApiService(name)).registration),
);
const lookups = [
  { group: '', version: 'v1', want: 'v1.' },
  { group: 'a.example.com', version: 'v2', want: 'v2.a.example.com' },
  { group: 'b.example.com', version: 'v1', want: 'v1.b.example.com' },
  { group: 'b.example.com', version: 'v2', want: undefined },
  { group: 'example.com', version: 'v1.a', want: undefined },
  { group: '__proto__', version: 'v1', want: 'v1.__proto__' },
  { group: 'constructor', version: 'name', want: undefined },
];
for (const { group, version, want } of lookups) {
  test(`${group}/${version} is found as ${want}`, () => {
    assert.equal(snapshot.byGroupVersion(group, version)?.name, want);
  });
}
