import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound, plainError, statusFromError } from './errors.ts';
import { isStatus, StatusError, successStatus } from './status.ts';

test('the fields are in the order of kube-apiserver', () => {
  const error = new StatusError({
    code: 404,
    details: {
      retryAfterSeconds: 1,
      causes: [{ field: 'f', message: 'm', reason: 'r' }],
      uid: 'u',
      kind: 'pods',
      group: 'g',
      name: 'a',
    },
    reason: 'NotFound',
    message: 'gone',
  });
  assert.equal(
    JSON.stringify(error.status),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"gone","reason":"NotFound","details":{"name":"a","group":"g","kind":"pods","uid":"u","causes":[{"reason":"r","message":"m","field":"f"}],"retryAfterSeconds":1},"code":404}',
  );
});

test('empty fields are omitted, empty details are not', () => {
  const error = new StatusError({
    code: 500,
    message: '',
    details: { name: '', retryAfterSeconds: 0 },
  });
  assert.equal(
    JSON.stringify(error.status),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","details":{},"code":500}',
  );
});

test('a StatusError has a code and a reason', () => {
  const error = notFound({ group: '', resource: 'pods' }, 'a');
  assert.equal(error.code, 404);
  assert.equal(error.reason, 'NotFound');
  assert.equal(error.message, 'pods "a" not found');
  assert.equal(error.name, 'StatusError');
});

test('success has details and no code', () => {
  assert.equal(
    JSON.stringify(successStatus({ name: 'a', group: 'g', kind: 'pods', uid: 'u' })),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","group":"g","kind":"pods","uid":"u"}}',
  );
});

const thrown = [
  { name: 'a StatusError is its Status', error: plainError('x', 409), code: 409, message: 'x' },
  { name: 'an error is a plain 500', error: new Error('broken'), code: 500, message: 'broken' },
  { name: 'anything else is its text', error: 'oops', code: 500, message: 'oops' },
];
for (const { name, error, code, message } of thrown) {
  test(`the Status of a thrown value: ${name}`, () => {
    const status = statusFromError(error);
    assert.equal(status.code, code);
    assert.equal(status.message, message);
    assert.equal(status.reason, undefined);
  });
}

test('a Status is recognised by its kind', () => {
  assert.equal(isStatus(plainError('x').status), true);
  assert.equal(isStatus({ kind: 'Pod' }), false);
  assert.equal(isStatus(null), false);
  assert.equal(isStatus('Status'), false);
});
