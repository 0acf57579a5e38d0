import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Lease, LeaseSpec } from '@tributary/api/coordination-v1';
import { fieldErrorText, type StatusError } from '@tributary/apimachinery';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { leaseKind } from './kind.ts';
import { validateLease, validateLeaseUpdate } from './validation.ts';

const lease = (spec: LeaseSpec, metadata = {}): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'a', namespace: 'eu', resourceVersion: '1', ...metadata },
  spec,
});

describe('validation of leases', () => {
  const QUALIFIED = /^spec\.strategy\.strategy: Invalid value: "example\.com\/a b": name part must/;
  const cases: readonly { name: string; spec: LeaseSpec; errors: readonly (string | RegExp)[] }[] =
    [
      { name: 'nothing', spec: {}, errors: [] },
      {
        name: 'a time of at least a second, if any',
        spec: { leaseDurationSeconds: 0 },
        errors: ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
      },
      {
        name: 'no fewer transitions than none',
        spec: { leaseTransitions: -1 },
        errors: ['spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0'],
      },
      {
        name: 'a known strategy',
        spec: { strategy: 'OldestEmulationVersion', preferredHolder: 'x' },
        errors: [],
      },
      {
        name: 'a strategy that is known, or has a domain',
        spec: { strategy: 'Mine' },
        errors: [
          'spec.strategy.strategy: Unsupported value: "Mine": supported values: "OldestEmulationVersion"',
        ],
      },
      { name: 'somebody’s own strategy', spec: { strategy: 'example.com/mine' }, errors: [] },
      { name: 'a bad own strategy', spec: { strategy: 'example.com/a b' }, errors: [QUALIFIED] },
      {
        name: 'a preferred holder only with a strategy',
        spec: { preferredHolder: 'x' },
        errors: ['spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined'],
      },
    ];
  for (const { name, spec, errors } of cases) {
    test(name, () => {
      for (const found of [
        validateLease(lease(spec)),
        validateLeaseUpdate(lease(spec), lease({})),
      ]) {
        const texts = found.map(fieldErrorText);
        assert.equal(texts.length, errors.length, texts.join('\n'));
        for (const [index, error] of errors.entries()) {
          const text = texts[index] ?? '';
          if (typeof error === 'string') assert.equal(text, error);
          else assert.match(text, error);
        }
      }
    });
  }

  test('metadata errors come first, with all other errors', () => {
    const errors = validateLease(lease({ leaseTransitions: -1 }, { labels: { 'a b': 'c' } }));
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['metadata.labels', 'spec.leaseTransitions'],
    );
  });
});

describe('a served lease', () => {
  const kind = leaseKind();
  const coordinated = leaseKind({ coordinatedLeaderElection: true });
  const group = 'coordination.k8s.io';
  const sent = { metadata: { name: 'a' }, spec: { strategy: 'Mine', preferredHolder: 'x' } };
  let server: TestServer;
  before(async () => {
    server = await startTestServer(defineApi({ group, builtIn: true, resources: [kind] }));
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  test('a lease has no strategy unless coordinated leader election is enabled', async () => {
    const leases = server.client(kind);
    assert.deepEqual((await leases.create(sent)).spec, {});
    const patched = await leases.patch('a', { spec: { strategy: 'Mine', holderIdentity: 'x' } });
    assert.deepEqual(patched.spec, { holderIdentity: 'x' });
    await using other = await startTestServer(
      defineApi({ group, builtIn: true, resources: [coordinated] }),
    );
    await assert.rejects(other.client(coordinated).create(sent), (error: StatusError) =>
      error.message.includes('Unsupported value: "Mine"'),
    );
  });

  test('a PUT creates a lease, and needs a resourceVersion to change one', async () => {
    const leases = server.client(kind);
    const created = await leases.update({ metadata: { name: 'a' }, spec: {} });
    assert.ok(created.metadata.uid);
    await assert.rejects(
      leases.update({ metadata: { name: 'a' }, spec: { leaseTransitions: 1 } }),
      /metadata\.resourceVersion: Invalid value: 0: must be specified for an update/,
    );
  });
});
