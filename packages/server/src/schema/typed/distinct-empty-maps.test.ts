import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEmptyMaps, withoutEmptyMaps } from './distinct-empty-maps.ts';

const paths = ['data', 'spec.capacity'];
const bare = { apiVersion: 'v1', kind: 'A', metadata: {} };

const noticed = [
  { name: 'an empty map', sent: { data: {} }, wanted: { data: {} } },
  {
    name: 'an empty map further inside',
    sent: { spec: { capacity: {} } },
    wanted: { spec: { capacity: {} } },
  },
  { name: 'no map', sent: {}, wanted: {} },
  { name: 'null', sent: { data: null }, wanted: {} },
  { name: 'a map that nobody looks for', sent: { other: {} }, wanted: {} },
  { name: 'a list', sent: { data: [] }, wanted: {} },
];
for (const { name, sent, wanted } of noticed) {
  test(`empty maps are distinct: ${name}`, () => {
    const object = 'spec' in sent ? { ...bare, spec: {} } : { ...bare };
    addEmptyMaps(object, sent, paths);
    assert.deepEqual(object, { ...bare, ...wanted });
    const left = withoutEmptyMaps(object, paths);
    assert.deepEqual(left, 'spec' in sent ? { ...bare, spec: {} } : bare);
  });
}

test('a map with entries stays, and the object is returned unchanged', () => {
  const object = { ...bare, data: { a: '1' }, spec: { capacity: { storage: '1' } } };
  addEmptyMaps(object, { data: { a: '1' } }, paths);
  assert.equal(withoutEmptyMaps(object, paths), object);
});
