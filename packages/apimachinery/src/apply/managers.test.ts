import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry } from '../meta/object.ts';
import { FieldSet } from './field-set.ts';
import { encodeFieldsV1 } from './fields-v1.ts';
import {
  decodeManagedFields,
  encodeManagedFields,
  type Manager,
  type ManagerName,
  managerIdentity,
} from './managers.ts';

const base: ManagerName = { name: 'm', operation: 'Apply', apiVersion: 'g/v1', subresource: '' };

const identities: { name: string; manager: ManagerName; want: string }[] = [
  {
    name: 'an applier is the same in every version',
    manager: base,
    want: '{"manager":"m","operation":"Apply"}',
  },
  {
    name: 'an updater is one in each version',
    manager: { ...base, operation: 'Update' },
    want: '{"manager":"m","operation":"Update","apiVersion":"g/v1"}',
  },
  {
    name: 'a subresource has its own',
    manager: { ...base, subresource: 'status' },
    want: '{"manager":"m","operation":"Apply","subresource":"status"}',
  },
  {
    name: 'an updater of a subresource',
    manager: { ...base, operation: 'Update', subresource: 'status' },
    want: '{"manager":"m","operation":"Update","apiVersion":"g/v1","subresource":"status"}',
  },
  {
    name: 'names are quoted',
    manager: { ...base, name: 'a"b' },
    want: '{"manager":"a\\"b","operation":"Apply"}',
  },
];
for (const { name, manager, want } of identities) {
  test(`identity: ${name}`, () => assert.equal(managerIdentity(manager), want));
}

function managersOf(...list: Partial<Manager>[]): Map<string, Manager> {
  const managers = list.map(
    (one): Manager => ({ ...base, time: undefined, set: FieldSet.of(['f:a']), ...one }),
  );
  return new Map(managers.map((manager) => [managerIdentity(manager), manager]));
}

test('entries are in the order of operation, time, name, version and subresource', () => {
  const managers = managersOf(
    { name: 'z', operation: 'Update', time: '2026-01-01T00:00:00Z' },
    { name: 'b', time: '2026-01-02T00:00:00Z' },
    { name: 'a', time: '2026-01-02T00:00:00Z' },
    { name: 'c', time: '2026-01-01T00:00:00Z' },
    { name: 'never' },
    { name: 'u', operation: 'Update', apiVersion: 'g/v2' },
    { name: 'u', operation: 'Update', apiVersion: 'g/v1', subresource: 'status' },
    { name: 'u', operation: 'Update', apiVersion: 'g/v1' },
  );
  const order = encodeManagedFields(managers)?.map(({ manager, apiVersion, subresource = '' }) =>
    [manager, apiVersion, subresource].join(' ').trim(),
  );
  const want = [
    'never g/v1',
    'c g/v1',
    'a g/v1',
    'b g/v1',
    'u g/v1',
    'u g/v1 status',
    'u g/v2',
    'z g/v1',
  ];
  assert.deepEqual(order, want);
});

test('an entry omits empty fields', () => {
  const [bare] = encodeManagedFields(managersOf({})) ?? [];
  assert.equal(
    JSON.stringify(bare),
    '{"manager":"m","operation":"Apply","apiVersion":"g/v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}',
  );
  const [full] =
    encodeManagedFields(managersOf({ time: '2026-01-01T00:00:00Z', subresource: 'status' })) ?? [];
  assert.equal(
    JSON.stringify(full),
    '{"manager":"m","operation":"Apply","apiVersion":"g/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}},"subresource":"status"}',
  );
});

test('no managers encode to no list', () =>
  assert.equal(encodeManagedFields(new Map()), undefined));

const entry: ManagedFieldsEntry = {
  manager: 'm',
  operation: 'Apply',
  apiVersion: 'g/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:a': {} },
};

test('the same list is decoded once', () => {
  const entries = [entry];
  assert.equal(decodeManagedFields(entries), decodeManagedFields(entries));
});

test('encoded entries are not decoded again', () => {
  const managers = managersOf({});
  const entries = encodeManagedFields(managers) ?? [];
  assert.equal(decodeManagedFields(entries), managers);
});

test('an unchanged manager retains the same entry', () => {
  const managers = managersOf({}, { name: 'other' });
  const [first] = encodeManagedFields(managers) ?? [];
  const again = new Map(managers).set('new', {
    ...base,
    name: 'new',
    time: undefined,
    set: FieldSet.of(['f:b']),
  });
  assert.equal(encodeManagedFields(again)?.[0], first);
});

test('an unchanged set retains the decoded fieldsV1', () => {
  const [manager] = decodeManagedFields([entry]).values();
  const stamped = { ...(manager as Manager), time: '2026-01-01T00:00:00Z' };
  assert.equal(encodeManagedFields(new Map([['m', stamped]]))?.[0]?.fieldsV1, entry.fieldsV1);
});

test('fieldsV1 that is not canonical is encoded again', () => {
  const odd = { ...entry, fieldsV1: { 'f:b': {}, 'f:a': {}, 'q:?': {} } };
  const [written] = encodeManagedFields(decodeManagedFields([odd])) ?? [];
  assert.equal(JSON.stringify(written?.fieldsV1), '{"f:a":{},"f:b":{}}');
});

const sent: { name: string; entry: ManagedFieldsEntry; isKnown: boolean }[] = [
  { name: 'the same fields', entry: { ...entry, fieldsV1: { 'f:a': {} } }, isKnown: true },
  { name: 'another time', entry: { ...entry, time: '2026-01-01T00:00:00Z' }, isKnown: true },
  { name: 'other fields', entry: { ...entry, fieldsV1: { 'f:b': {} } }, isKnown: false },
  { name: 'more fields', entry: { ...entry, fieldsV1: { 'f:a': {}, 'f:b': {} } }, isKnown: false },
  { name: 'the fields of another manager', entry: { ...entry, manager: 'n' }, isKnown: false },
];
for (const { name, entry: one, isKnown } of sent) {
  test(`${name} of a known manager are ${isKnown ? 'not ' : ''}decoded again`, () => {
    const known = decodeManagedFields([{ ...entry }]);
    const [manager] = decodeManagedFields([one], known).values();
    const [before] = known.values();
    assert.equal(manager?.set === before?.set, isKnown);
    assert.equal(manager?.time, one.time);
    assert.deepEqual(encodeFieldsV1(manager?.set ?? FieldSet.empty), one.fieldsV1);
  });
}

test('unchanged managers retain the same list', () => {
  const managers = managersOf({}, { name: 'other' });
  assert.equal(encodeManagedFields(managers), encodeManagedFields(managers));
});

test('an entry without fieldsV1 has an empty set', () => {
  const { fieldsV1: _fields, ...none } = entry;
  const [manager] = decodeManagedFields([none]).values();
  assert.equal(manager?.set, FieldSet.empty);
});
