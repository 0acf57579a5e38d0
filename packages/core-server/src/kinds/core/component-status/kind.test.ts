import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ComponentStatus } from '@tributary/api/core-v1';
import type { ComputedBacking, ComputedContext } from '@tributary/server';
import { type ComponentHealth, componentStatusKind } from './kind.ts';

const kind = componentStatusKind({
  componentHealth: async (): Promise<readonly ComponentHealth[]> => [
    { name: 'store', status: 'Healthy', message: 'ok' },
    { name: 'scheduler', status: 'Unhealthy', error: 'gone' },
    { name: 'other', status: 'Unknown' },
  ],
});
const home = kind.backing as ComputedBacking;
const context = { signal: new AbortController().signal } as ComputedContext;

test('each ComponentStatus has one condition', async () => {
  assert.deepEqual(
    (await home.list?.(context))?.map(({ conditions }) => conditions),
    [
      [{ type: 'Healthy', status: 'True', message: 'ok' }],
      [{ type: 'Healthy', status: 'False', error: 'gone' }],
      [{ type: 'Healthy', status: 'Unknown' }],
    ],
  );
});

test('an unknown component is not found', async () => {
  await assert.rejects(async () => home.get?.('x', context), {
    message: 'componentstatus "x" not found',
  });
});

describe('columns', () => {
  const cases = [
    { name: 'store', want: ['store', 'Healthy', 'ok', ''] },
    { name: 'scheduler', want: ['scheduler', 'Unhealthy', '', 'gone'] },
    { name: 'other', want: ['other', 'Unhealthy', '', ''] },
  ];
  const columns = kind.versions.get('v1')?.columns;
  for (const { name, want } of cases) {
    test(name, async () => {
      const object = await home.get?.(name, context);
      assert.ok(object);
      assert.deepEqual(
        columns?.map(({ cell }) => cell(object)),
        want,
      );
    });
  }
  test('columns of a ComponentStatus without conditions are empty', () => {
    const object = { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name: 'a' } };
    assert.deepEqual(
      columns?.map(({ cell }) => cell(object satisfies ComponentStatus)),
      ['a', 'Unknown', '', ''],
    );
  });
});
