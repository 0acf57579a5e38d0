import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText, type KubeObject } from '@tributary/apimachinery';
import { scaleSpecErrors, scaleStatusErrors } from './scale-errors.ts';

const paths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.count.now',
  labelSelectorPath: '.status.selector',
};

const cases: { name: string; spec?: unknown; status?: unknown; want: string[] }[] = [
  { name: 'absent fields', want: [] },
  {
    name: 'numbers',
    spec: { replicas: 3 },
    status: { count: { now: 0 }, selector: 'a=b' },
    want: [],
  },
  {
    name: 'negative numbers',
    spec: { replicas: -1 },
    want: ['.spec.replicas: Invalid value: -1: should be a non-negative integer'],
  },
  {
    name: 'numbers beyond int32',
    spec: { replicas: 2 ** 31 },
    want: ['.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
  },
  {
    name: 'strings',
    spec: { replicas: 'three' },
    want: [
      '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: three is of the type string, expected int64',
    ],
  },
  {
    name: 'paths that lead through other values than objects',
    status: { count: 7, selector: 5 },
    want: [
      '.status.count.now: Invalid value: 0: .status.count.now accessor error: 7 is of the type int64, expected map[string]interface {}',
      '.status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string',
    ],
  },
];

for (const { name, spec, status, want } of cases) {
  test(`scale errors of ${name}`, () => {
    const object = { apiVersion: 'g/v1', kind: 'K', metadata: {}, spec, status } as KubeObject;
    const own = JSON.parse(JSON.stringify(object)) as KubeObject;
    const errors = [...scaleSpecErrors(own, paths), ...scaleStatusErrors(own, paths)];
    assert.deepEqual(errors.map(fieldErrorText), want);
    assert.deepEqual(
      [...scaleSpecErrors(own, undefined), ...scaleStatusErrors(own, undefined)],
      [],
    );
  });
}
