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

describe('namespaces', () => {
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
    test(`are not deleted for another ${field}, in words of their own`, () => {
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

describe('a namespace that is deleted', () => {
  const now = '2001-01-01T00:00:00Z';
  /** As it is marked like objects of other kinds, and then in its own way. */
  const marked = (live: Namespace, options: DeletionOptions) => {
    const metadata = { ...live.metadata, deletionTimestamp: now, deletionGracePeriodSeconds: 0 };
    const object: Namespace = { ...live, metadata };
    namespaceKind.lifecycle.markDeleted?.(object, { live, options });
    return object as Namespace;
  };
  const WAITS = ['foregroundDeletion', 'a/b'];
  const cases: { name: string; finalizers?: string[]; wish: DeletionOptions; want?: string[] }[] = [
    { name: 'nothing', wish: {} },
    { name: 'nothing, and it has a policy', finalizers: WAITS, wish: {}, want: WAITS },
    { name: 'Foreground', wish: { propagationPolicy: 'Foreground' }, want: ['foregroundDeletion'] },
    { name: 'no orphans', wish: { orphanDependents: false }, want: ['foregroundDeletion'] },
    {
      name: 'orphans',
      finalizers: WAITS,
      wish: { orphanDependents: true },
      want: ['a/b', 'orphan'],
    },
    {
      name: 'Background',
      finalizers: WAITS,
      wish: { propagationPolicy: 'Background' },
      want: ['a/b'],
    },
  ];
  for (const { name, finalizers, wish, want } of cases) {
    test(`by who says ${name}`, () => {
      const live = namespace(['kubernetes']);
      if (finalizers) live.metadata.finalizers = finalizers;
      const { metadata, status } = marked(live, wish);
      assert.deepEqual(metadata.finalizers, want);
      assert.equal(metadata.deletionGracePeriodSeconds, undefined);
      assert.equal(status?.phase, 'Terminating');
    });
  }

  test('again, while its content goes, stays as it is', () => {
    const live = namespace(['kubernetes']);
    live.metadata.deletionTimestamp = now;
    assert.deepEqual(marked(live, { propagationPolicy: 'Foreground' }), live);
  });

  test('again, when its content is gone, is marked like others', () => {
    const live = namespace([]);
    live.metadata.deletionTimestamp = now;
    assert.equal(marked(live, {}).metadata.deletionGracePeriodSeconds, 0);
  });
});
