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
  /** The precedence and the annotation that are written; nothing when nothing is. */
  want: readonly [number, string] | undefined;
}[] = [
  { name: 'as it should be', current: current('true', 7), want: undefined },
  { name: 'old', current: current('true', 5), want: [7, 'true'] },
  { name: 'old, by another word for true', current: current('t', 5), want: [7, 't'] },
  { name: 'changed by somebody who says so', current: current('false', 5), want: undefined },
  { name: 'changed by somebody who does not', current: current(undefined, 5), want: [5, 'false'] },
  {
    name: 'never changed, of an old release',
    current: current(undefined, 5, 1),
    want: [7, 'true'],
  },
  { name: 'with a word that means nothing', current: current('maybe', 5), want: [5, 'false'] },
  {
    name: 'mandatory and changed',
    current: current('false', 5),
    mandatory: true,
    want: [7, 'true'],
  },
  { name: 'mandatory and as it is', current: current('true', 7), mandatory: true, want: undefined },
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

test('how much the exempt level has is for its operators', () => {
  const exempt = { metadata: { name: 'exempt' }, spec: { type: 'Exempt', exempt: { a: 0 } } };
  const changed = {
    metadata: { name: 'exempt', annotations: { [AUTO_UPDATE]: 'true' } },
    spec: { type: 'Exempt', exempt: { a: 5 } },
  };
  assert.equal(reviseObject(changed, { bootstrap: exempt, mandatory: true }), undefined);
});

test('what an earlier release has made goes, and what somebody else has made stays', () => {
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
