import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceRoutes } from '../representation/served-resource.ts';
import type { WatchCache } from '../watch-cache/types.ts';
import { type RouteEntry, RouteTable } from './route-table.ts';

function entry(version: string, resource: string, group = 'a.io') {
  const routes = {} as ResourceRoutes;
  let released = 0;
  const made: RouteEntry & { readonly releases: number } = {
    group,
    version,
    resource,
    routes: () => routes,
    release: () => {
      released += 1;
    },
    get releases() {
      return released;
    },
  };
  return made;
}

test('an added entry is found, and the entry that replaces it', () => {
  const table = new RouteTable();
  const [one, other] = [entry('v1', 'things'), entry('v1', 'others')];
  table.add([one, other]);
  assert.equal(table.find(one), one.routes());
  assert.equal(table.find({ ...one, version: 'v2' }), undefined);
  const next = entry('v1', 'things');
  table.add([next]);
  table.remove([one]);
  assert.equal(table.find(one), next.routes());
  assert.deepEqual([one.releases, next.releases], [1, 0]);
});

test('a group exists as long as one of its resources', () => {
  const table = new RouteTable();
  const [first, second] = [entry('v1', 'things'), entry('v2', 'things')];
  table.add([first, second]);
  table.remove([first]);
  assert.equal(table.hasGroup('a.io'), true);
  table.remove([second, second, entry('v1', 'unknown', 'b.io')]);
  assert.equal(table.hasGroup('a.io'), false);
  assert.equal(table.find(second), undefined);
});

test('the cache of an entry is found without making routes', () => {
  const table = new RouteTable();
  const cache = {} as WatchCache;
  const cached: RouteEntry = {
    ...entry('v1', 'things'),
    cache,
    routes: () => assert.fail('nobody asked for routes'),
  };
  table.add([cached, entry('v1', 'computed')]);
  assert.equal(table.cacheOf(cached), cache);
  assert.equal(table.cacheOf({ ...cached, resource: 'computed' }), undefined);
  assert.equal(table.cacheOf({ ...cached, version: 'v2' }), undefined);
  table.remove([cached]);
  assert.equal(table.cacheOf(cached), undefined);
});
