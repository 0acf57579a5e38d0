import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedType, typeFacts } from '../../test/apply-facts.ts';
import { objectType, schemaType } from './schema-type.ts';
import { deduced, type FieldType, type Type, untypedAtomic } from './type.ts';

for (const { name, schema, type } of typeFacts) {
  // Embedded resources have the metadata of every kind, which the rows omit.
  if (type === null) continue;
  test(`the type of the schema ${name}`, () => assert.deepEqual(shown(schemaType(schema)), type));
}

/** A type in the format of the recorded rows. */
function shown(type: Type | undefined): unknown {
  if (type === undefined) return null;
  if (type === deduced) return { $ref: '__untyped_deduced_' };
  if (type === untypedAtomic) return { $ref: '__untyped_atomic_' };
  const { scalar, list, map } = type;
  return {
    ...(scalar && { scalar }),
    ...(list && { list: { ...list, element: shown(list.element) } }),
    ...(map && {
      map: {
        element: shown(map.element),
        fields: Object.fromEntries([...map.fields].map(([name, one]) => [name, shownField(one)])),
        // Separable is the default.
        relationship: map.relationship === 'atomic' ? 'atomic' : '',
      },
    }),
  };
}

function shownField({ type, default: value }: FieldType): unknown {
  return { type: shown(type), ...(value !== undefined && { default: value }) };
}

const metadata = objectType([]).map?.fields.get('metadata')?.type.map?.fields;

const metadataCases = [
  { field: 'labels', is: 'a map', want: 'separable' },
  { field: 'annotations', is: 'a map', want: 'separable' },
  { field: 'finalizers', is: 'a list', want: 'associative' },
  { field: 'ownerReferences', is: 'a list', want: 'associative' },
  { field: 'managedFields', is: 'a list', want: 'atomic' },
];
for (const { field, is, want } of metadataCases) {
  test(`metadata.${field} is ${is}: ${want}`, () => {
    const type = metadata?.get(field)?.type;
    assert.equal((type?.map ?? type?.list)?.relationship, want);
  });
}

test('owner references are keyed by uid and atomic', () => {
  const list = metadata?.get('ownerReferences')?.type.list;
  assert.deepEqual(list?.keys, ['uid']);
  assert.equal(list?.element.map?.relationship, 'atomic');
});

for (const name of ['embedded', 'embeddedTyped']) {
  test(`the schema ${name} has the metadata of every kind`, () => {
    const template = namedType(name).map?.fields.get('template')?.type.map?.fields;
    assert.deepEqual(template?.get('apiVersion')?.type, { scalar: 'string' });
    assert.deepEqual(template?.get('kind')?.type, { scalar: 'string' });
    const fields = template?.get('metadata')?.type.map?.fields;
    assert.deepEqual([...(fields?.keys() ?? [])], [...(metadata?.keys() ?? [])]);
  });
}

test('times of the metadata are untyped scalars', () => {
  assert.equal(metadata?.get('creationTimestamp')?.type.scalar, 'untyped');
});
