import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import type { HeaderList } from '../http/exchange.ts';
import { AnswerReader } from './http1-reader.ts';

interface Heard {
  readonly heads: { status: number; headers: HeaderList; keeps: boolean }[];
  body: string;
  trailers: HeaderList | undefined;
}

/** What a reader makes of an answer that comes in pieces of so many bytes. */
function read(
  answer: string,
  { step = Number.MAX_SAFE_INTEGER, method = 'GET', ends = false } = {},
) {
  const heard: Heard = { heads: [], body: '', trailers: undefined };
  const pieces: Uint8Array[] = [];
  const reader = new AnswerReader({
    onHead: ({ status, headers, keeps }) => heard.heads.push({ status, headers, keeps }),
    onBytes: (bytes) => pieces.push(bytes),
    onEnd: (trailers) => {
      heard.trailers = trailers;
    },
  });
  reader.expect(method);
  const bytes = Buffer.from(answer, 'latin1');
  for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step));
  const ended = ends && reader.end();
  // Only now: what was given away must stay as it was.
  heard.body = Buffer.concat(pieces).toString('latin1');
  return { ...heard, ended };
}

const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');

interface Good {
  readonly name: string;
  readonly answer: string;
  readonly method?: string;
  readonly ends?: boolean;
  readonly want: { status: number; body: string; keeps: boolean; headers?: HeaderList };
  readonly trailers?: HeaderList;
}

const good: readonly Good[] = [
  {
    name: 'a body of a known length',
    answer: `${lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'X-A: 1', 'x-a:  2 , 3 ', '')}hello`,
    want: {
      status: 200,
      body: 'hello',
      keeps: true,
      headers: [
        ['content-length', '5'],
        ['x-a', '1'],
        ['x-a', '2 , 3'],
      ],
    },
  },
  {
    name: 'an empty body',
    answer: lines('HTTP/1.1 404 ', 'Content-Length: 0', ''),
    want: { status: 404, body: '', keeps: true },
  },
  {
    name: 'no reason behind the status',
    answer: lines('HTTP/1.1 201', 'Content-Length: 0', ''),
    want: { status: 201, body: '', keeps: true },
  },
  {
    name: 'pieces, with extensions and trailers',
    answer: lines(
      ...['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '5;name="x"', 'hello', '1 ', ' '],
      ...['A', '0123456789', '0', 'X-Sum: 7', 'x-sum: 8', ''],
    ),
    want: { status: 200, body: 'hello 0123456789', keeps: true },
    trailers: [
      ['x-sum', '7'],
      ['x-sum', '8'],
    ],
  },
  {
    name: 'pieces without trailers',
    answer: lines('HTTP/1.1 200 OK', 'transfer-encoding: Chunked', '', '3', 'a\r\n', '0', ''),
    want: { status: 200, body: 'a\r\n', keeps: true },
  },
  {
    name: 'everything until the end',
    answer: `${lines('HTTP/1.1 200 OK', 'Content-Type: text/plain', '')}all of it`,
    ends: true,
    want: { status: 200, body: 'all of it', keeps: false },
  },
  {
    name: 'an answer to HEAD',
    answer: lines('HTTP/1.1 200 OK', 'Content-Length: 500', ''),
    method: 'HEAD',
    want: { status: 200, body: '', keeps: true },
  },
  {
    name: '304 with a length',
    answer: lines('HTTP/1.1 304 Not Modified', 'Content-Length: 500', ''),
    want: { status: 304, body: '', keeps: true },
  },
  {
    name: 'a connection that closes afterwards',
    answer: `${lines('HTTP/1.1 200 OK', 'Content-Length: 1', 'Connection: x, Close', '')}a`,
    want: { status: 200, body: 'a', keeps: false },
  },
  {
    name: 'HTTP/1.0',
    answer: `${lines('HTTP/1.0 200 OK', 'Content-Length: 1', '')}a`,
    want: { status: 200, body: 'a', keeps: false },
  },
  {
    name: 'letters of Latin-1 around a value',
    answer: lines('HTTP/1.1 200 OK', 'Content-Length: 0', 'x-a:\t\u00a0b\u00a0 ', ''),
    want: {
      status: 200,
      body: '',
      keeps: true,
      headers: [
        ['content-length', '0'],
        ['x-a', '\u00a0b\u00a0'],
      ],
    },
  },
];

suite('answers of HTTP/1.1', () => {
  for (const { name, answer, want, trailers = [], method = 'GET', ends = false } of good) {
    for (const step of [1, 2, 3, 7, Number.MAX_SAFE_INTEGER]) {
      test(`${name}, ${step > 100 ? 'at once' : `${step} bytes at a time`}`, () => {
        const heard = read(answer, { step, method, ends });
        const [head] = heard.heads;
        assert.equal(heard.heads.length, 1);
        assert.equal(heard.body, want.body);
        assert.equal(head?.status, want.status);
        assert.equal(head?.keeps, want.keeps);
        if (want.headers !== undefined) assert.deepEqual(head?.headers, want.headers);
        assert.deepEqual(heard.trailers, trailers);
        assert.equal(heard.ended, ends);
      });
    }
  }

  test('answers before the answer', () => {
    const interim = lines('HTTP/1.1 100 Continue', '') + lines('HTTP/1.1 103 Early', 'link: a', '');
    const { heads, body } = read(`${interim}${lines('HTTP/1.1 200 OK', 'Content-Length: 1', '')}a`);
    assert.deepEqual(
      heads.map(({ status }) => status),
      [100, 103, 200],
    );
    assert.equal(body, 'a');
  });

  test('an end before the whole is none', () => {
    for (const answer of [
      'HTTP/1.1 200',
      lines('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'a').slice(0, -2),
      lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '1', 'a'),
    ]) {
      const { ended, trailers } = read(answer, { ends: true });
      assert.equal(ended, false, answer);
      assert.equal(trailers, undefined, answer);
    }
  });
});

const bad: readonly [name: string, answer: string, problem: RegExp][] = [
  ['another protocol', 'SSH-2.0-x\r\n\r\n', /does not begin with a status/],
  ['no version that is known', lines('HTTP/2.0 200 OK', ''), /does not begin with a status/],
  ['a status beyond all', lines('HTTP/1.1 2000 OK', ''), /does not begin with a status/],
  ['a line without a name', lines('HTTP/1.1 200 OK', ': a', ''), /malformed MIME header line/],
  [
    'a line that goes on',
    lines('HTTP/1.1 200 OK', 'x-a: a', ' b', ''),
    /malformed MIME header line/,
  ],
  [
    'a space before the colon',
    lines('HTTP/1.1 200 OK', 'x-a : a', ''),
    /malformed MIME header line/,
  ],
  [
    'a lone line feed',
    lines('HTTP/1.1 200 OK', 'x-a: a\nx-b: b', ''),
    /malformed MIME header line/,
  ],
  ['a zero byte', lines('HTTP/1.1 200 OK', 'x-a: a\0', ''), /malformed MIME header line/],
  ['a line feed behind the status', lines('HTTP/1.1 200 OK\nx-a: a', ''), /begin with a status/],
  ['a control byte', lines('HTTP/1.1 200 OK', 'x-a: a\x0bb', ''), /malformed MIME header line/],
  [
    'two lengths',
    lines('HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2', ''),
    /no sense/,
  ],
  ['a list of lengths', lines('HTTP/1.1 200 OK', 'content-length: 1, 1', ''), /no sense/],
  ['a negative length', lines('HTTP/1.1 200 OK', 'content-length: -1', ''), /no sense/],
  [
    'both ways to end',
    lines('HTTP/1.1 200 OK', 'content-length: 1', 'transfer-encoding: chunked', ''),
    /both/,
  ],
  [
    'another coding',
    lines('HTTP/1.1 200 OK', 'transfer-encoding: gzip, chunked', ''),
    /other than chunked/,
  ],
  [
    'chunked twice',
    lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', 'transfer-encoding: chunked', ''),
    /other than chunked/,
  ],
  [
    'a piece without a length',
    lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', 'x'),
    /without a length/,
  ],
  [
    'a line feed behind the length of a piece',
    lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '1;a\nb', 'a'),
    /without a length/,
  ],
  [
    'a piece too large to count',
    lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', 'f'.repeat(13)),
    /without a length/,
  ],
  [
    'a piece that goes on',
    lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '1', 'ab'),
    /longer than it says/,
  ],
  [
    'a length line without end',
    `${lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '')}1;${'x'.repeat(5000)}`,
    /more than 4096 bytes/,
  ],
  [
    'a head without end',
    `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(150_000)}`,
    /more than 1048576 bytes/,
  ],
  [
    'more than was asked for',
    `${lines('HTTP/1.1 200 OK', 'content-length: 0', '')}HTTP/1.1 200 OK`,
    /nobody asked/,
  ],
];

suite('what is no answer of HTTP/1.1', () => {
  for (const [name, answer, problem] of bad) {
    for (const step of [1, 1000, Number.MAX_SAFE_INTEGER]) {
      test(`${name}, ${step} bytes at a time`, () => {
        assert.throws(() => read(answer, { step }), {
          name: 'ResponseSyntaxError',
          message: problem,
        });
      });
    }
  }

  test('a head that comes byte by byte takes time in proportion to its length', () => {
    const answer = lines('HTTP/1.1 200 OK', `x-a: ${'b'.repeat(500_000)}`, 'content-length: 0', '');
    const cpuMs = cpuMsOf(() => {
      assert.equal(read(answer, { step: 1 }).heads[0]?.status, 200);
    });
    assert.ok(cpuMs < 5000, `${cpuMs} ms`);
  });
});
