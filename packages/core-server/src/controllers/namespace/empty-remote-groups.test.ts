import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forbidden, plainError, serviceUnavailable } from '@tributary/apimachinery';
import type { NamespacedResource } from '@tributary/client/controller';
import { emptyRemoteGroups } from './empty-remote-groups.ts';

const KEY = 'wardle.example.com/v1';
const resource = (plural: string): NamespacedResource => ({
  group: 'wardle.example.com',
  version: 'v1',
  plural,
  namespaced: true,
  canDeleteCollection: true,
  canList: true,
});
const both = [resource('flunders'), resource('fischers')];

const cases: readonly {
  readonly name: string;
  readonly problem?: string;
  readonly resources: readonly NamespacedResource[] | undefined;
  readonly failure?: Error;
  readonly why?: string;
  readonly failures?: number;
  readonly requests: readonly string[];
}[] = [
  { name: 'that responds', resources: both, requests: ['flunders', 'fischers'] },
  {
    name: 'that is unavailable gets no request',
    problem: 'FailedDiscoveryCheck: refused',
    resources: both,
    why: 'FailedDiscoveryCheck: refused',
    requests: [],
  },
  {
    name: 'that is unavailable and has no resources is ignored',
    problem: 'FailedDiscoveryCheck: refused',
    resources: [],
    requests: [],
  },
  {
    name: 'that was never discovered is unreachable',
    resources: undefined,
    why: 'its resources are not known yet',
    requests: [],
  },
  {
    name: 'that responds with 503 gets no further request',
    resources: both,
    failure: serviceUnavailable('later'),
    why: 'later',
    requests: ['flunders'],
  },
  {
    name: 'that responds with a redirect is unreachable',
    resources: both,
    failure: plainError('redirected', 302),
    why: 'redirected',
    requests: ['flunders'],
  },
  {
    name: 'that sends an invalid body is unreachable',
    resources: both,
    failure: new Error('no list'),
    why: 'no list',
    requests: ['flunders'],
  },
  {
    name: 'that forbids causes a failure, as upstream',
    resources: both,
    failure: forbidden({ group: '', resource: 'flunders' }, '', 'no'),
    failures: 2,
    requests: ['flunders', 'fischers'],
  },
];

describe('a remote server', () => {
  for (const { name, problem, resources, failure, why, failures = 0, requests } of cases) {
    test(name, async () => {
      const seen: string[] = [];
      const { signal } = new AbortController();
      const found = await emptyRemoteGroups(
        {
          deleteContent: async ({ plural }) => {
            seen.push(plural);
            if (failure !== undefined) throw failure;
            return { count: 0, finalizers: new Map() };
          },
        },
        {
          namespace: 'team',
          others: new Map([[KEY, problem]]),
          remote: resources === undefined ? new Map() : new Map([[KEY, resources]]),
          take() {},
          signal,
        },
      );
      assert.deepEqual(seen, requests);
      assert.equal(found.unreachable.get(KEY)?.why, why);
      assert.equal(found.failures.length, failures);
    });
  }
});
