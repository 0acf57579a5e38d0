import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Namespace } from '@tributary/api/core-v1';
import { createdBefore } from './delete-content.ts';
import { clockSkewMs } from './leftover-requests.ts';

const again: Namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'team', uid: 'new', creationTimestamp: '2030-01-01T12:00:00Z' },
  spec: {},
  status: {},
};
const cases: readonly {
  readonly name: string;
  readonly namespace: Namespace | undefined;
  readonly created: string | undefined;
  /** By how much the other server's clock is ahead. */
  readonly skewMs?: number;
  readonly isOwed: boolean;
}[] = [
  { name: 'no namespace', namespace: undefined, created: '2031-01-01T00:00:00Z', isOwed: true },
  { name: 'older', namespace: again, created: '2030-01-01T11:59:59Z', isOwed: true },
  { name: 'as old', namespace: again, created: '2030-01-01T12:00:00Z', isOwed: true },
  { name: 'younger', namespace: again, created: '2030-01-01T12:00:01Z', isOwed: false },
  { name: 'of unknown age', namespace: again, created: undefined, isOwed: true },
  {
    name: 'older, by a clock that is ahead',
    namespace: again,
    created: '2030-01-01T12:04:00Z',
    skewMs: 300_000,
    isOwed: true,
  },
  {
    name: 'younger, by a clock that is behind',
    namespace: again,
    created: '2030-01-01T11:56:00Z',
    skewMs: -300_000,
    isOwed: false,
  },
];

describe('what belonged to a namespace that is gone', () => {
  for (const { name, namespace, created, skewMs = 0, isOwed } of cases) {
    test(name, () => {
      const leftover = {
        name: 'a',
        uid: 'u',
        creationMs: created === undefined ? undefined : Date.parse(created),
        isDeleted: false,
        finalizers: [],
      };
      assert.equal(createdBefore(namespace)(leftover, { skewMs }), isOwed);
    });
  }
});

describe('the clock of another server', () => {
  const NOW_MS = Date.parse('2030-01-01T12:00:00.900Z');
  const rows: readonly [name: string, date: string | undefined, skewMs: number][] = [
    ['is not told', undefined, 0],
    ['is nonsense', 'noon', 0],
    ['is the same, cut to seconds', 'Tue, 01 Jan 2030 12:00:00 GMT', 0],
    ['is the same, and a second old', 'Tue, 01 Jan 2030 11:59:59 GMT', 0],
    ['is five minutes ahead', 'Tue, 01 Jan 2030 12:05:00 GMT', 300_100],
    ['is five minutes behind', 'Tue, 01 Jan 2030 11:55:00 GMT', -299_900],
  ];
  for (const [name, date, skewMs] of rows) {
    const times = { sentMs: NOW_MS, receivedMs: NOW_MS };
    test(name, () => assert.equal(clockSkewMs(date, times), skewMs));
  }

  const slow: typeof rows = [
    ['is the same when the response was written at once', 'Tue, 01 Jan 2030 12:00:00 GMT', 0],
    ['is the same when the response was written late', 'Tue, 01 Jan 2030 12:00:10 GMT', 0],
    ['is ahead of a slow response', 'Tue, 01 Jan 2030 12:05:00 GMT', 300_100],
    ['is behind a slow response', 'Tue, 01 Jan 2030 11:55:00 GMT', -299_900],
  ];
  for (const [name, date, skewMs] of slow) {
    const times = { sentMs: NOW_MS, receivedMs: NOW_MS + 10_000 };
    test(name, () => assert.equal(clockSkewMs(date, times), skewMs));
  }
});
