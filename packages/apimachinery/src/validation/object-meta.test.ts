import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregateText } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import type { ObjectMeta } from '../meta/object.ts';
import { validateDnsSubdomainName } from './names.ts';
import { validateObjectMetaCreate, validateObjectMetaUpdate } from './object-meta.ts';

const rules = { namespaced: true, validateName: validateDnsSubdomainName, path: root('metadata') };

function created(meta: ObjectMeta, namespaced = true): string {
  const errors = validateObjectMetaCreate(meta, { ...rules, namespaced });
  return errors.length === 0 ? '' : aggregateText(errors);
}

function updated(next: ObjectMeta, previous: ObjectMeta): string {
  const errors = validateObjectMetaUpdate(next, previous, root('metadata'));
  return errors.length === 0 ? '' : aggregateText(errors);
}

const creations: { name: string; meta: ObjectMeta; want: string }[] = [
  { name: 'complete', meta: { name: 'a', namespace: 'ns' }, want: '' },
  {
    name: 'no name',
    meta: { namespace: 'ns' },
    want: 'metadata.name: Required value: name or generateName is required',
  },
  {
    name: 'a generated name',
    meta: { namespace: 'ns', name: 'web-x', generateName: 'web-' },
    want: '',
  },
  {
    name: 'a bad generateName',
    meta: { name: 'a', namespace: 'ns', generateName: 'Web-' },
    want: "metadata.generateName: Invalid value: \"Web-\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  },
  {
    name: 'a bad name',
    meta: { name: 'Web', namespace: 'ns' },
    want: "metadata.name: Invalid value: \"Web\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  },
  { name: 'no namespace', meta: { name: 'a' }, want: 'metadata.namespace: Required value' },
  {
    name: 'a bad namespace',
    meta: { name: 'a', namespace: 'n.s' },
    want: 'metadata.namespace: Invalid value: "n.s": must not contain dots',
  },
  {
    name: 'a negative generation',
    meta: { name: 'a', namespace: 'ns', generation: -1 },
    want: 'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
  },
  {
    name: 'good labels',
    meta: { name: 'a', namespace: 'ns', labels: { app: 'web', 'example.com/tier': '' } },
    want: '',
  },
  {
    name: 'a bad label key',
    meta: { name: 'a', namespace: 'ns', labels: { 'a b': 'x' } },
    want: "metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  },
  {
    name: 'a bad label value',
    meta: { name: 'a', namespace: 'ns', labels: { app: 'a b' } },
    want: "metadata.labels: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  },
  {
    name: 'an annotation key in upper case',
    meta: { name: 'a', namespace: 'ns', annotations: { 'Example.com/Note': 'x' } },
    want: '',
  },
  {
    name: 'a bad annotation key',
    meta: { name: 'a', namespace: 'ns', annotations: { 'a b': 'x' } },
    want: "metadata.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  },
  {
    name: 'a complete owner',
    meta: {
      name: 'a',
      namespace: 'ns',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u' }],
    },
    want: '',
  },
  {
    name: 'an empty owner',
    meta: {
      name: 'a',
      namespace: 'ns',
      ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
    },
    want: '[metadata.ownerReferences[0].apiVersion: Required value: must not be empty, metadata.ownerReferences[0].kind: Required value: must not be empty, metadata.ownerReferences[0].name: Required value: must not be empty, metadata.ownerReferences[0].uid: Required value: must not be empty]',
  },
  {
    name: 'an apiVersion with two slashes',
    meta: {
      name: 'a',
      namespace: 'ns',
      ownerReferences: [{ apiVersion: 'a/b/c', kind: 'Deployment', name: 'web', uid: 'u' }],
    },
    want: 'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
  },
  {
    name: 'an Event as the owner',
    meta: {
      name: 'a',
      namespace: 'ns',
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Event', name: 'web', uid: 'u', blockOwnerDeletion: true },
      ],
    },
    want: 'metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"web","uid":"u","blockOwnerDeletion":true}: /v1, Kind=Event is disallowed from being an owner',
  },
  {
    name: 'two controllers',
    meta: {
      name: 'a',
      namespace: 'ns',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u', controller: true },
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api', uid: 'v', controller: true },
      ],
    },
    want: 'metadata.ownerReferences: Invalid value: [{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"u","controller":true},{"apiVersion":"apps/v1","kind":"Deployment","name":"api","uid":"v","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Deployment/web and Deployment/api',
  },
  {
    name: 'an Event of another group',
    meta: {
      name: 'a',
      namespace: 'ns',
      ownerReferences: [{ apiVersion: 'events.k8s.io/v1', kind: 'Event', name: 'web', uid: 'u' }],
    },
    want: '',
  },
  {
    name: 'a bad finalizer',
    meta: { name: 'a', namespace: 'ns', finalizers: ['a b'] },
    want: "metadata.finalizers: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  },
  {
    name: 'two finalizers that exclude each other',
    meta: { name: 'a', namespace: 'ns', finalizers: ['orphan', 'foregroundDeletion'] },
    want: 'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  },
  {
    name: 'good managed fields',
    meta: {
      name: 'a',
      namespace: 'ns',
      managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsType: 'FieldsV1' }],
    },
    want: '',
  },
  {
    name: 'bad managed fields',
    meta: {
      name: 'a',
      namespace: 'ns',
      managedFields: [
        {
          manager: 'a\tb',
          operation: 'Merge' as 'Apply',
          fieldsType: 'V2',
          subresource:
            'sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss',
        },
      ],
    },
    want: '[metadata.managedFields[0].operation: Invalid value: "Merge": must be `Apply` or `Update`, metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`, metadata.managedFields[0].manager: Invalid value: "a\\tb": invalid character U+0009 (at position 1), metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes]',
  },
  {
    name: 'a long manager',
    meta: {
      name: 'a',
      namespace: 'ns',
      managedFields: [
        {
          manager:
            'mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm',
          operation: 'Update',
        },
      ],
    },
    want: 'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
  },
  {
    name: 'several errors',
    meta: { name: 'A', labels: { '/': '_' } },
    want: "[metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), metadata.namespace: Required value, metadata.labels: Invalid value: \"/\": prefix part must be non-empty, metadata.labels: Invalid value: \"/\": name part must be non-empty, metadata.labels: Invalid value: \"/\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), metadata.labels: Invalid value: \"_\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')]",
  },
];
for (const { name, meta, want } of creations) {
  test(`create: ${name}`, () => assert.equal(created(meta), want));
}

const clusterScoped = [
  { name: 'no namespace', meta: { name: 'a' }, want: '' },
  {
    name: 'a namespace',
    meta: { name: 'a', namespace: 'ns' },
    want: 'metadata.namespace: Forbidden: not allowed on this type',
  },
];
for (const { name, meta, want } of clusterScoped) {
  test(`create without a namespace: ${name}`, () => assert.equal(created(meta, false), want));
}

test('the total size of annotations is limited', () => {
  const half = 'x'.repeat(131_072 - 1);
  assert.equal(created({ name: 'a', namespace: 'ns', annotations: { a: half, b: half } }), '');
  assert.equal(
    created({ name: 'a', namespace: 'ns', annotations: { a: half, b: `${half}x` } }),
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  );
});

const updates: { name: string; next: ObjectMeta; previous: ObjectMeta; want: string }[] = [
  {
    name: 'nothing changes',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: '',
  },
  {
    name: 'labels change',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      labels: { a: 'b' },
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: '',
  },
  {
    name: 'no resourceVersion',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.resourceVersion: Invalid value: "": must be specified for an update',
  },
  {
    name: 'another name',
    next: {
      name: 'b',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.name: Invalid value: "b": field is immutable',
  },
  {
    name: 'another namespace',
    next: {
      name: 'a',
      namespace: 'other',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.namespace: Invalid value: "other": field is immutable',
  },
  {
    name: 'another uid',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: '<v>',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.uid: Invalid value: "\\u003cv\\u003e": field is immutable',
  },
  {
    name: 'no uid',
    next: {
      name: 'a',
      namespace: 'ns',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.uid: Invalid value: "": field is immutable',
  },
  {
    name: 'another creationTimestamp',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-02T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.creationTimestamp: Invalid value: "2024-01-02T00:00:00Z": field is immutable',
  },
  {
    name: 'the same instant, written differently',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T01:00:00+01:00',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: '',
  },
  {
    name: 'no creationTimestamp',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: null,
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.creationTimestamp: Invalid value: null: field is immutable',
  },
  {
    name: 'generation decreases',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 1,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.generation: Invalid value: 1: must not be decremented',
  },
  {
    name: 'generation increases',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 3,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: '',
  },
  {
    name: 'a deletionTimestamp set by the client',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.deletionTimestamp: Invalid value: "2024-02-01T00:00:00Z": field is immutable',
  },
  {
    name: 'a removed deletionTimestamp',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y', 'x/z'],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y', 'x/z'],
    },
    want: 'metadata.deletionTimestamp: Invalid value: null: field is immutable',
  },
  {
    name: 'another grace period',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      finalizers: ['x/y', 'x/z'],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y', 'x/z'],
    },
    want: 'metadata.deletionGracePeriodSeconds: Invalid value: 0: field is immutable',
  },
  {
    name: 'a removed grace period',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      finalizers: ['x/y', 'x/z'],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y', 'x/z'],
    },
    want: 'metadata.deletionGracePeriodSeconds: Invalid value: null: field is immutable',
  },
  {
    name: 'finalizers shrink during deletion',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/z'],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y', 'x/z'],
    },
    want: '',
  },
  {
    name: 'finalizers grow during deletion',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y', 'b', 'a"', 'a"'],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      deletionTimestamp: '2024-02-01T00:00:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['x/y', 'x/z'],
    },
    want: 'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a\\"", "b"}',
  },
  {
    name: 'finalizers grow before it',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      finalizers: ['a b'],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: '',
  },
  {
    name: 'a bad label',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      labels: { '': '' },
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: "[metadata.labels: Invalid value: \"\": name part must be non-empty, metadata.labels: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]",
  },
  {
    name: 'a bad owner',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: '' }],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.ownerReferences[0].uid: Required value: must not be empty',
  },
  {
    name: 'bad managed fields',
    next: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
      managedFields: [{ manager: 'm' }],
    },
    previous: {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    want: 'metadata.managedFields[0].operation: Invalid value: "": must be `Apply` or `Update`',
  },
];
for (const { name, next, previous, want } of updates) {
  test(`update: ${name}`, () => assert.equal(updated(next, previous), want));
}
