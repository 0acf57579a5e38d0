import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import { buildNode } from './build-node.ts';
import { nodesContaining } from './walk.ts';

const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };

test('nodesContaining returns the schemas above a property and no others', () => {
  const root = buildNode(
    {
      type: 'object',
      properties: {
        plain: { type: 'object', properties: { a: { type: 'string' } } },
        list: { type: 'array', items: { type: 'object', properties: { b: embedded } } },
        map: { type: 'object', additionalProperties: embedded },
      },
    },
    'spec',
  );
  const leading = nodesContaining(root, (node) => node.embeddedResource);
  const list = root.properties.get('list');
  const map = root.properties.get('map');
  const items = list?.items;
  assert.deepEqual(
    new Set([root, list, items, items?.properties.get('b'), map, map?.additionalProperties]),
    leading,
  );
});

test('a walk over a deep schema beside a wide one takes time by the sum of both', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`f${at}`, { type: 'string' }]),
  );
  let schema: object = embedded;
  for (let depth = 0; depth < 200; depth += 1) {
    schema = { type: 'object', properties: { inner: schema } };
  }
  const root = buildNode({ type: 'object', properties: { ...wide, deep: schema } }, 'spec');
  let leading = 0;
  const cpuMs = cpuMsOf(() => {
    leading = nodesContaining(root, (node) => node.embeddedResource).size;
  });
  assert.equal(leading, 202);
  // A tenth of that; one pass over all for each level takes seconds.
  assert.ok(cpuMs < 500, `${cpuMs} ms`);
});
