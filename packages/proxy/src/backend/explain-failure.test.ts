import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransportError } from '@tributary/client';
import { DialError } from '@tributary/client/connections';
import { BackendFailure, type FailureHop } from './backend.ts';
import { addressOf, explainFailure } from './explain-failure.ts';

const target = { host: '10.0.0.1', port: 443, serverName: 'a.b.svc' };

function failed(code: string, message: string, maybeProcessed = true): TransportError {
  return new TransportError(`GET 10.0.0.1:443: ${message}`, {
    ...{ code, maybeProcessed, reusedConnection: false },
  });
}

const OPENSSL =
  '40DD6E7DD57F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../ssl/x.c:77:\n';

function dialled(
  step: 'lookup' | 'connect' | 'handshake',
  code: string,
  words = 'words of Node',
): TransportError {
  const cause = new DialError(step, Object.assign(new Error(words), { code }));
  const stage = { code, maybeProcessed: false, reusedConnection: false, cause };
  return new TransportError('GET 10.0.0.1:443: words of Node', stage);
}

const cases: { error: TransportError; hop: FailureHop; words: RegExp; maybe?: boolean }[] = [
  { error: dialled('lookup', 'ENOTFOUND'), hop: 'dns', words: /not found in DNS/ },
  { error: dialled('lookup', 'EAI_AGAIN'), hop: 'dns', words: /DNS does not respond/ },
  { error: dialled('lookup', 'ETIMEDOUT'), hop: 'dns', words: /words of Node/ },
  { error: dialled('connect', 'ETIMEDOUT'), hop: 'connect', words: /no connection/ },
  { error: dialled('connect', 'EHOSTUNREACH'), hop: 'connect', words: /no route/ },
  { error: dialled('connect', 'ECONNRESET'), hop: 'connect', words: /words of Node/ },
  { error: dialled('handshake', 'ECONNRESET'), hop: 'tls', words: /during the TLS handshake/ },
  { error: dialled('handshake', 'CERT_HAS_EXPIRED'), hop: 'ca', words: /has expired/ },
  {
    error: dialled('handshake', 'ERR_SSL_WRONG_VERSION_NUMBER', OPENSSL),
    hop: 'tls',
    words: /not speak TLS there: wrong version number$/,
  },
  {
    error: dialled('handshake', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'),
    hop: 'tls',
    words: /refuses the front-proxy client certificate/,
  },
  {
    error: dialled('handshake', 'ERR_SSL_UNSUPPORTED_PROTOCOL'),
    hop: 'tls',
    words: /handshake failed: ERR_SSL_UNSUPPORTED_PROTOCOL/,
  },
  {
    error: failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'alert'),
    hop: 'tls',
    words: /refuses the front-proxy client certificate/,
    maybe: false,
  },
  {
    error: failed('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'alert'),
    hop: 'tls',
    words: /refuses the front-proxy client certificate/,
    maybe: false,
  },
  {
    error: failed('ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'alert'),
    hop: 'tls',
    words: /refuses the front-proxy client certificate/,
    maybe: false,
  },
  {
    error: failed('ERR_SSL_BAD_RECORD', 'bad record'),
    hop: 'tls',
    words: /bad record/,
    maybe: true,
  },
  {
    error: failed('ETIMEDOUT', 'no response to a ping'),
    hop: 'silent',
    words: /ping/,
    maybe: true,
  },
  {
    error: failed('HPE_INVALID_CONSTANT', 'Expected HTTP/'),
    hop: 'protocol',
    words: /not HTTP/,
    maybe: true,
  },
  {
    error: failed('ECONNRESET', 'socket hang up'),
    hop: 'reset',
    words: /before a response: socket hang up/,
    maybe: true,
  },
  { error: failed('ERR_HTTP2_STREAM_ERROR', 'refused', false), hop: 'reset', words: /refused/ },
];
for (const { error, hop, words, maybe = false } of cases) {
  test(`${error.code} after ${error.cause instanceof DialError ? error.cause.step : 'sending'} is ${hop}`, () => {
    const failure = explainFailure(error, target);
    assert.ok(failure instanceof BackendFailure);
    assert.equal(failure.hop, hop);
    assert.match(failure.message, words);
    assert.match(failure.message, /^10\.0\.0\.1:443: /);
    assert.equal(failure.maybeProcessed, maybe);
    assert.equal(failure.target, target);
  });
}

test('explainFailure returns other errors unchanged', () => {
  const reason = new Error('the client is gone');
  assert.equal(explainFailure(reason, target), reason);
});

test('addressOf writes IPv6 addresses in brackets', () => {
  assert.equal(addressOf({ ...target, host: '::1' }), '[::1]:443');
});
