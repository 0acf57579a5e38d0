/** Tests beyond the recorded responses in interop/core/rows/admission-registration.ts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, root } from '@tributary/apimachinery';
import { cpuMs } from '../../../../../../test/harness/own-time.ts';
import { duplicateIndexes } from '../../shared/validate-values.ts';
import { validatePolicyStatus } from '../validating-admission-policy/validate-status.ts';
import { reservedNameHooks, storedOnlyWarnings } from './stored-only.ts';
import { validateMatchConditions } from './validate-match.ts';
import { validateRule } from './validate-rules.ts';
import { validateWebhooks } from './validate-webhooks.ts';

describe('warnings of kinds that are only stored', () => {
  const metadata = { name: 'a' };
  const cases = [
    { name: 'nothing to do', notDone: undefined, wants: 0 },
    { name: 'something to do', notDone: 'call its webhooks', wants: 1 },
  ];
  for (const { name, notDone, wants } of cases) {
    test(name, () => assert.equal(storedOnlyWarnings({ metadata }, notDone).length, wants));
  }
});

test('the reserved suffix is refused in new objects, and a warning on updates of older ones', () => {
  const reserved = { metadata: { name: 'a.static.k8s.io' } };
  const { validate, validateUpdate } = reservedNameHooks(() => []);
  const text =
    'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';
  assert.deepEqual(validate(reserved).map(fieldErrorText), [
    `metadata.name: Invalid value: "a.static.k8s.io": ${text}`,
  ]);
  assert.deepEqual(validateUpdate(reserved), []);
  assert.deepEqual(storedOnlyWarnings(reserved, undefined), [`metadata.name: ${text}`]);
});

test('a condition requires lastTransitionTime', () => {
  const condition = {
    type: 'A',
    status: 'True',
    reason: 'R',
    message: '',
    lastTransitionTime: null,
  };
  const errors = validatePolicyStatus({ conditions: [condition] }).map(fieldErrorText);
  assert.deepEqual(errors, ['status.conditions[0].lastTransitionTime: Required value']);
});

test('reasons and messages of conditions are bounded', () => {
  const condition = {
    type: 'A',
    status: 'True',
    reason: 'r'.repeat(1025),
    message: 'm'.repeat(32 * 1024 + 1),
    lastTransitionTime: '2020-01-01T00:00:00Z',
  };
  const errors = validatePolicyStatus({ conditions: [condition] }).map(fieldErrorText);
  assert.deepEqual(errors, [
    'status.conditions[0].reason: Too long: may not be more than 1024 bytes',
    'status.conditions[0].message: Too long: may not be more than 32768 bytes',
  ]);
});

test('a repeated match condition without a name is required, not duplicate', () => {
  const conditions = [1, 2].map(() => ({ name: '', expression: 'true' }));
  const errors = validateMatchConditions(conditions, root('c')).map(fieldErrorText);
  assert.deepEqual(errors, ['c[0].name: Required value', 'c[1].name: Required value']);
});

test('duplicateIndexes returns the indexes after the first occurrence', () => {
  assert.deepEqual([...duplicateIndexes(['a', 'b', 'a', 'a'])], [2, 3]);
});

describe('long lists are validated in linear time', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `r${index}/x`);
  const BOUND_MS = 5_000; // Quadratic work would take minutes.
  const cases: Readonly<Record<string, () => unknown>> = {
    resources: () =>
      validateRule(
        { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: many },
        root('r'),
      ),
    versions: () =>
      validateWebhooks({
        metadata: { name: 'a' },
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1', ...many.map((one) => one.replace('/', ''))],
          },
        ],
      }),
  };
  for (const [name, validate] of Object.entries(cases)) {
    test(name, () => {
      const usedMs = cpuMs(() => assert.deepEqual(validate(), []));
      assert.ok(usedMs < BOUND_MS, `${usedMs} ms`);
    });
  }
});
