import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseError } from './response-error.ts';

interface Row {
  name: string;
  method?: string;
  status: number;
  type?: string;
  headers?: Record<string, string>;
  body: string;
  reason: string | undefined;
  message: string | RegExp;
}

const rows: Row[] = [
  {
    name: 'a Status',
    status: 403,
    type: 'application/json',
    body: '{"kind":"Status","status":"Failure","message":"no","reason":"Forbidden","code":403}',
    reason: 'Forbidden',
    message: 'no',
  },
  {
    name: 'an unknown reason',
    status: 418,
    type: 'application/json',
    body: '{"kind":"Status","status":"Failure","message":"tea","reason":"Teapot"}',
    reason: 'Teapot',
    message: 'tea',
  },
  {
    name: 'JSON that is no Status',
    status: 404,
    type: 'application/json',
    body: '{"error":"nope"}',
    reason: 'NotFound',
    message: 'the server could not find the requested resource (get /x)',
  },
  {
    name: 'a page of a proxy',
    status: 502,
    type: 'text/html',
    body: '<h1>Bad Gateway</h1>',
    reason: 'InternalError',
    message:
      'an error on the server ("<h1>Bad Gateway</h1>") has prevented the request from succeeding (get /x)',
  },
  {
    name: 'words for a 403',
    status: 403,
    body: 'not you',
    reason: 'Forbidden',
    message: 'not you (get /x)',
  },
  {
    name: 'a conflict of a create',
    method: 'POST',
    status: 409,
    body: '',
    reason: 'AlreadyExists',
    message: 'the server reported a conflict (post /x)',
  },
  {
    name: 'a redirect is not followed',
    status: 302,
    body: '',
    reason: undefined,
    message: /^the server responded with the status code 302/,
  },
  {
    name: 'bytes that are no text',
    status: 500,
    type: 'image/png',
    body: '\u0000',
    reason: 'InternalError',
    message: /\("unknown"\)/,
  },
];

for (const { name, method = 'GET', status, type, headers, body, reason, message } of rows) {
  test(name, () => {
    const error = responseError({
      method,
      path: '/x',
      status,
      headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
      body: Buffer.from(body),
    });
    assert.equal(error.code, status);
    assert.equal(error.reason, reason);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
  });
}

test('Retry-After is part of the details unless the Status has its own', () => {
  const failed = { method: 'GET', path: '/x', status: 429, body: Buffer.from('busy') };
  const plain = responseError({ ...failed, headers: { 'retry-after': '3' } });
  assert.equal(plain.status.details?.retryAfterSeconds, 3);
  const body = Buffer.from(
    '{"kind":"Status","status":"Failure","details":{"retryAfterSeconds":5,"causes":[{"reason":"A"},7]}}',
  );
  const status = responseError({ ...failed, body, headers: { 'retry-after': '3' } });
  assert.equal(status.status.details?.retryAfterSeconds, 5);
  assert.deepEqual(status.status.details?.causes, [{ reason: 'A' }, {}]);
});

test('only the beginning of a long text is shown', () => {
  const body = Buffer.from('x'.repeat(10_000));
  const error = responseError({ method: 'GET', path: '/x', status: 403, headers: {}, body });
  assert.equal(error.message, `${'x'.repeat(2048)} (get /x)`);
});
