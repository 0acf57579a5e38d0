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
  readonly asked: readonly string[];
}[] = [
  { name: 'answers', resources: both, asked: ['flunders', 'fischers'] },
  {
    name: 'is known not to answer: it is not asked',
    problem: 'FailedDiscoveryCheck: refused',
    resources: both,
    why: 'FailedDiscoveryCheck: refused',
    asked: [],
  },
  {
    name: 'is known not to answer, and has nothing: nobody waits for it',
    problem: 'FailedDiscoveryCheck: refused',
    resources: [],
    asked: [],
  },
  {
    name: 'was never heard of',
    resources: undefined,
    why: 'its resources are not known yet',
    asked: [],
  },
  {
    name: 'answers 503: it is not asked for the rest',
    resources: both,
    failure: serviceUnavailable('later'),
    why: 'later',
    asked: ['flunders'],
  },
  {
    name: 'answers with a redirect',
    resources: both,
    failure: plainError('answered 302', 302),
    why: 'answered 302',
    asked: ['flunders'],
  },
  {
    name: 'sends garbage',
    resources: both,
    failure: new Error('no list'),
    why: 'no list',
    asked: ['flunders'],
  },
  {
    name: 'refuses: that is an answer, and stands in the way as upstream',
    resources: both,
    failure: forbidden({ group: '', resource: 'flunders' }, '', 'no'),
    failures: 2,
    asked: ['flunders', 'fischers'],
  },
];

describe('a server with a part of a namespace', () => {
  for (const { name, problem, resources, failure, why, failures = 0, asked } of cases) {
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
      assert.deepEqual(seen, asked);
      assert.equal(found.unreachable.get(KEY)?.why, why);
      assert.equal(found.failures.length, failures);
    });
  }
});
