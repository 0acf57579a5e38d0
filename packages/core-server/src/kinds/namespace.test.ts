import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '@tributary/apimachinery';
import type { Namespace } from '../generated/core-v1.ts';
import { namespaceKind, validateNamespace } from './namespace.ts';

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
