import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { negotiate, requireBodyType } from './negotiation.ts';

const accepted = [
  { name: 'no header', accept: [] },
  { name: 'JSON', accept: ['application/json'] },
  { name: 'anything', accept: ['*/*'] },
  { name: 'a range', accept: ['application/*'] },
  {
    name: 'what kubectl sends',
    accept: ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json'],
  },
  { name: 'protobuf first', accept: ['application/vnd.kubernetes.protobuf,application/json'] },
  { name: 'the last wish, as upstream reads it,', accept: ['application/json;q=0'] },
  { name: 'two lines', accept: ['text/html', 'application/json;q=0.1'] },
];
for (const { name, accept } of accepted) {
  test(`${name} gives JSON`, () => assert.equal(negotiate(accept), 'application/json'));
}

const refused = [
  { name: 'a type we do not write', accept: ['text/html'] },
  { name: 'only a transformation', accept: ['application/json;as=Table;v=v1;g=meta.k8s.io'] },
];
for (const { name, accept } of refused) {
  test(`${name} is 406`, () => {
    assert.throws(
      () => negotiate(accept),
      (error) => error instanceof StatusError && error.code === 406,
    );
  });
}

test('bodies are JSON, said or unsaid', () => {
  requireBodyType(undefined);
  requireBodyType('application/json; charset=utf-8');
  assert.throws(
    () => requireBodyType('text/plain'),
    (error) => error instanceof StatusError && error.code === 415,
  );
});
