import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Namespace } from '@tributary/api/core-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import type { DeletionOptions } from '@tributary/server';
import { namespaceKind, validateNamespace } from './kind.ts';

function namespace(finalizers: string[], name = 'a'): Namespace {
  return {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name },
    spec: { finalizers },
    status: {},
  };
}

const UNQUALIFIED = 'name is neither a standard finalizer name nor is it fully qualified';

describe('validation of namespaces', () => {
  const cases = [
    { name: 'with the usual finalizer', object: namespace(['kubernetes']), want: [] },
    {
      name: 'with finalizers of others',
      object: namespace(['example.com/hold', 'orphan', 'foregroundDeletion']),
      want: [],
    },
    {
      name: 'with a finalizer of nobody',
      object: namespace(['hold']),
      want: [`spec.finalizers: Invalid value: "hold": ${UNQUALIFIED}`],
    },
    {
      name: 'with a name that has dots',
      object: namespace([], 'a.b'),
      want: ['metadata.name: Invalid value: "a.b": must not contain dots'],
    },
    {
      name: 'with a long name',
      object: namespace([], 'a'.repeat(64)),
      want: [
        `metadata.name: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
      ],
    },
  ];
  for (const { name, object, want } of cases) {
    test(name, () => assert.deepEqual(validateNamespace(object).map(fieldErrorText), want));
  }

  for (const field of ['UID', 'ResourceVersion'] as const) {
    test(`a precondition of another ${field} has the message of namespaces`, () => {
      const words = namespaceKind.lifecycle.preconditionMismatch?.({
        field,
        wanted: '1',
        found: '2',
      });
      assert.equal(
        words,
        `Precondition failed: ${field} in precondition: 1, ${field} in object meta: 2`,
      );
    });
  }
});

describe('deletion of a namespace', () => {
  const now = '2001-01-01T00:00:00Z';
  /** First the generic marking, then the one of namespaces. */
  const marked = (live: Namespace, options: DeletionOptions) => {
    const metadata = { ...live.metadata, deletionTimestamp: now, deletionGracePeriodSeconds: 0 };
    const object: Namespace = { ...live, metadata };
    namespaceKind.lifecycle.markDeleted?.(object, { live, options });
    return object as Namespace;
  };
  const WAITS = ['foregroundDeletion', 'a/b'];
  const cases: {
    name: string;
    finalizers?: string[];
    options: DeletionOptions;
    want?: string[];
  }[] = [
    { name: 'nothing', options: {} },
    { name: 'nothing, and it has a policy', finalizers: WAITS, options: {}, want: WAITS },
    {
      name: 'Foreground',
      options: { propagationPolicy: 'Foreground' },
      want: ['foregroundDeletion'],
    },
    { name: 'no orphans', options: { orphanDependents: false }, want: ['foregroundDeletion'] },
    {
      name: 'orphans',
      finalizers: WAITS,
      options: { orphanDependents: true },
      want: ['a/b', 'orphan'],
    },
    {
      name: 'Background',
      finalizers: WAITS,
      options: { propagationPolicy: 'Background' },
      want: ['a/b'],
    },
  ];
  for (const { name, finalizers, options, want } of cases) {
    test(`a delete with ${name}`, () => {
      const live = namespace(['kubernetes']);
      if (finalizers) live.metadata.finalizers = finalizers;
      const { metadata, status } = marked(live, options);
      assert.deepEqual(metadata.finalizers, want);
      assert.equal(metadata.deletionGracePeriodSeconds, undefined);
      assert.equal(status?.phase, 'Terminating');
    });
  }

  test('a second delete changes nothing while the content is deleted', () => {
    const live = namespace(['kubernetes']);
    live.metadata.deletionTimestamp = now;
    assert.deepEqual(marked(live, { propagationPolicy: 'Foreground' }), live);
  });

  test('a delete after the content is deleted marks the namespace like other objects', () => {
    const live = namespace([]);
    live.metadata.deletionTimestamp = now;
    assert.equal(marked(live, {}).metadata.deletionGracePeriodSeconds, 0);
  });
});
