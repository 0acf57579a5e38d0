import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thing } from '../../test/things.ts';
import type { KubeObject } from '../meta/object.ts';
import { lastAppliedAnnotation, withLastApplied } from './last-applied.ts';

function annotated(annotations: Record<string, string>): KubeObject {
  return { ...thing({ name: 'a' }), metadata: { name: 'n', annotations } };
}

const TOTAL_MAX = 256 * 1024;

const cases: { name: string; live: KubeObject; config: KubeObject; want: string | undefined }[] = [
  {
    name: 'keys are sorted, and a line break ends the annotation',
    live: annotated({ [lastAppliedAnnotation]: 'old' }),
    config: thing({ z: 1, a: [{ c: 1, b: 2 }] }),
    want: '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"n"},"spec":{"a":[{"b":2,"c":1}],"z":1}}\n',
  },
  {
    name: 'the annotation does not contain itself',
    live: annotated({ [lastAppliedAnnotation]: 'old' }),
    config: annotated({ [lastAppliedAnnotation]: 'older', other: 'x' }),
    want: '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"annotations":{"other":"x"},"name":"n"},"spec":{"name":"a"}}\n',
  },
  {
    name: 'HTML characters are escaped',
    live: annotated({ [lastAppliedAnnotation]: 'old' }),
    config: thing({ a: '<b>&' }),
    want: '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"n"},"spec":{"a":"\\u003cb\\u003e\\u0026"}}\n',
  },
  {
    name: 'an object without the annotation gets none',
    live: annotated({}),
    config: thing({}),
    want: undefined,
  },
  {
    name: 'the annotation is removed when annotations are too large',
    live: annotated({ [lastAppliedAnnotation]: 'old', large: 'x'.repeat(TOTAL_MAX - 100) }),
    config: thing({}),
    want: undefined,
  },
];
for (const { name, live, config, want } of cases) {
  test(`last applied: ${name}`, () => {
    const before = JSON.stringify([live, config]);
    const { annotations } = withLastApplied(live, config).metadata;
    assert.equal(annotations?.[lastAppliedAnnotation], want);
    assert.equal(JSON.stringify([live, config]), before, 'arguments are not modified');
  });
}

test('the limit counts keys and values of all annotations', () => {
  const config = thing({});
  const text =
    withLastApplied(annotated({ [lastAppliedAnnotation]: 'x' }), config).metadata.annotations?.[
      lastAppliedAnnotation
    ] ?? '';
  const room = TOTAL_MAX - lastAppliedAnnotation.length - text.length - 'é'.length - 1;
  for (const [bytes, isRetained] of [
    [room, true],
    [room + 1, false],
  ] as const) {
    const live = annotated({ [lastAppliedAnnotation]: 'x', é: 'x'.repeat(bytes) });
    const { annotations } = withLastApplied(live, config).metadata;
    assert.equal(annotations?.[lastAppliedAnnotation] !== undefined, isRetained);
  }
});
