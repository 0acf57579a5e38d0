import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTO_UPDATE, isUnwanted, reviseObject } from './revise-object.ts';

const bootstrap = {
  metadata: { name: 'x', generation: 1, annotations: { own: 'z', [AUTO_UPDATE]: 'true' } },
  spec: { precedence: 7 },
};
const current = (annotation: string | undefined, precedence: number, generation = 2) => ({
  metadata: {
    name: 'x',
    generation,
    ...(annotation !== undefined && { annotations: { own: 'y', [AUTO_UPDATE]: annotation } }),
  },
  spec: { precedence },
});

const cases: readonly {
  name: string;
  current: ReturnType<typeof current>;
  mandatory?: boolean;
  /** Expected precedence and annotation; undefined without a write. */
  want: readonly [number, string] | undefined;
}[] = [
  { name: 'up to date', current: current('true', 7), want: undefined },
  { name: 'outdated', current: current('true', 5), want: [7, 'true'] },
  { name: 'outdated, with another spelling of true', current: current('t', 5), want: [7, 't'] },
  { name: 'changed, with the annotation false', current: current('false', 5), want: undefined },
  { name: 'changed, without an annotation', current: current(undefined, 5), want: [5, 'false'] },
  {
    name: 'unchanged since an old release',
    current: current(undefined, 5, 1),
    want: [7, 'true'],
  },
  { name: 'changed, with an invalid annotation', current: current('maybe', 5), want: [5, 'false'] },
  {
    name: 'mandatory and changed',
    current: current('false', 5),
    mandatory: true,
    want: [7, 'true'],
  },
  {
    name: 'mandatory and up to date',
    current: current('true', 7),
    mandatory: true,
    want: undefined,
  },
];
for (const { name, current: given, mandatory = false, want } of cases) {
  test(`an object that is ${name}`, () => {
    const revised = reviseObject(given, { bootstrap, mandatory });
    const annotations: Record<string, string> = revised?.metadata.annotations ?? {};
    const got = revised && [revised.spec.precedence, annotations[AUTO_UPDATE]];
    assert.deepEqual(got, want);
    if (given.metadata.annotations && revised) assert.equal(annotations.own, 'y');
  });
}

test('the spec of the exempt level is not updated', () => {
  const exempt = { metadata: { name: 'exempt' }, spec: { type: 'Exempt', exempt: { a: 0 } } };
  const changed = {
    metadata: { name: 'exempt', annotations: { [AUTO_UPDATE]: 'true' } },
    spec: { type: 'Exempt', exempt: { a: 5 } },
  };
  assert.equal(reviseObject(changed, { bootstrap: exempt, mandatory: true }), undefined);
});

test('objects of earlier releases are unwanted, those of users are not', () => {
  const names = new Set(['x']);
  const named = (name: string, annotation?: string) => ({
    metadata: { name, ...(annotation && { annotations: { [AUTO_UPDATE]: annotation } }) },
    spec: {},
  });
  assert.equal(isUnwanted(named('x', 'true'), names), false);
  assert.equal(isUnwanted(named('y', 'true'), names), true);
  assert.equal(isUnwanted(named('y', 'false'), names), false);
  assert.equal(isUnwanted(named('y'), names), false);
});
