import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFor } from '../../../test/request-fixture.ts';
import { newContext } from '../../request/request-context.ts';
import { refusalLogger, requestLogger } from './access-line.ts';
import { LineWriter } from './line-writer.ts';
import { type LogFormat, type Logger, logFormat, logger } from './logger.ts';
import { withoutSecrets } from './secrets.ts';

const NOW_MS = Date.parse('2026-11-16T00:37:45.844Z');

async function linesOf(
  format: LogFormat,
  verbosity: number,
  use: (log: Logger) => void,
): Promise<string[]> {
  const texts: string[] = [];
  const writer = new LineWriter({
    destination: {
      write: async (text) => {
        texts.push(text);
      },
      close: async () => {},
    },
    onError: assert.fail,
  });
  const log = logger({ writer, verbosity, format: logFormat(format, () => NOW_MS) });
  use(log);
  await log.close();
  return texts.join('').split('\n').slice(0, -1);
}

const request = requestFor('/apis/g/v1/things', {
  target: '/apis/g/v1/things?limit=1&access_token=s3cret&x=1',
  headerLines: ['User-Agent', 'curl "7"', 'Authorization', 'Bearer s3cret'],
  context: newContext('id', 0),
});
const finished = { code: 404, bytes: 0, tookMs: 1.25, waitedMs: 0, wasAborted: false };

test('a request is a line with the fields of upstream, and without secrets', async () => {
  const [line = ''] = await linesOf('text', 3, (log) => requestLogger(log)(request, finished));
  assert.equal(
    line.replace(/ +\d+\]/, ' PID]'),
    'I1116 00:37:45.844000 PID] "HTTP" verb="LIST" URI="/apis/g/v1/things?limit=1&access_token=REDACTED&x=1" latency="1.25ms" userAgent="curl \\"7\\"" audit-ID="id" srcIP="127.0.0.1" resp=404',
  );
});

test('the same as JSON', async () => {
  const [line = ''] = await linesOf('json', 3, (log) => requestLogger(log)(request, finished));
  assert.deepEqual(JSON.parse(line), {
    level: 'info',
    ts: NOW_MS,
    v: 3,
    verb: 'LIST',
    URI: '/apis/g/v1/things?limit=1&access_token=REDACTED&x=1',
    latency: '1.25ms',
    userAgent: 'curl "7"',
    'audit-ID': 'id',
    srcIP: '127.0.0.1',
    resp: 404,
    msg: 'HTTP',
  });
});

const slow = { ...finished, tookMs: 500, waitedMs: 100 };
const watch = requestFor('/apis/g/v1/things?watch=1', { context: newContext('id', 0) });
const lines = [
  { name: 'a quick one has none', request, finished, want: [] },
  { name: 'a slow one has one', request, finished: slow, want: ['Slow request'] },
  { name: 'a watch may take its time', request: watch, finished: slow, want: [] },
  { name: 'and so may a connection', request, finished: { ...slow, code: 101 }, want: [] },
];
for (const { name, request: asked, finished: ended, want } of lines) {
  test(`lines of requests when nobody wants all: ${name}`, async () => {
    const written = await linesOf('json', 2, (log) => requestLogger(log)(asked, ended));
    assert.deepEqual(
      written.map((line) => JSON.parse(line).msg),
      want,
    );
  });
}

test('who was not let in is a line with the reason, and without the credential', async () => {
  const [line = ''] = await linesOf('json', 0, (log) => refusalLogger(log)(request, 'expired'));
  assert.deepEqual(JSON.parse(line), {
    level: 'error',
    ts: NOW_MS,
    err: 'expired',
    verb: 'LIST',
    URI: '/apis/g/v1/things?limit=1&access_token=REDACTED&x=1',
    userAgent: 'curl "7"',
    'audit-ID': 'id',
    srcIP: '127.0.0.1',
    resp: 401,
    msg: 'Unable to authenticate the request',
  });
});

for (const format of ['text', 'json'] as const) {
  test(`levels as ${format}: what is more verbose than asked for is left out`, async () => {
    const lines = await linesOf(format, 2, (log) => {
      log.info('always');
      log.verbose(2, 'asked for');
      log.verbose(4, 'not asked for');
      log.error(new Error('broken'), 'wrong', { file: 'a' });
    });
    assert.deepEqual(
      lines.map((line) => /always|asked for|not asked for|wrong/.exec(line)?.[0]),
      ['always', 'asked for', 'wrong'],
    );
    assert.match(lines[2] ?? '', /Error: broken/);
  });
}

const targets = [
  { target: '/a?token=x', want: '/a?token=REDACTED' },
  { target: '/a?b=1&PASSWORD=x&c', want: '/a?b=1&PASSWORD=REDACTED&c' },
  { target: '/a?continue=token', want: '/a?continue=token' },
  { target: '/token=x', want: '/token=x' },
];
for (const { target, want } of targets) {
  test(`${target} is logged as ${want}`, () => assert.equal(withoutSecrets(target), want));
}
