/** Responses of backends over HTTP/1.1. Node's own client, with llhttp in it, is the reference. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { ResponseSyntaxError } from '../../../packages/client/src/http1/http1-head.ts';
import { AnswerReader } from '../../../packages/client/src/http1/http1-reader.ts';
import { errorsOf, type FuzzTarget } from '../target.ts';

interface Read {
  status: number;
  body: string;
  complete: boolean;
}

type Reading = Read & { used: number };

/** Interim responses are passed over, as a client does. */
function read(input: Buffer, step: number): Reading {
  const result: Reading = { status: 0, body: '', complete: false, used: 0 };
  const pieces: Buffer[] = [];
  const reader = new AnswerReader({
    onHead: ({ status }) => {
      result.status = status;
    },
    onBytes: (bytes) => pieces.push(Buffer.from(bytes)),
    onEnd: () => {
      if (result.status < 200 && result.status !== 101) reader.expect('GET');
      else result.complete = true;
    },
  });
  reader.expect('GET');
  for (let at = 0; at < input.length && !result.complete; at += step) {
    try {
      reader.push(input.subarray(at, at + step));
    } catch (error) {
      // What follows a complete response in the same piece is refused, and the response stays.
      if (!result.complete) throw error;
    }
    result.used = Math.min(input.length, at + step);
  }
  if (!result.complete) reader.end();
  result.body = Buffer.concat(pieces).toString('latin1');
  return result;
}

/** What Node reads; undefined when it refuses the response, or finds it incomplete. */
function reference(input: Buffer): Promise<Read | undefined> {
  const { promise, resolve } = Promise.withResolvers<Read | undefined>();
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const outgoing = request({
    createConnection: () => socket,
    headers: { host: 'a' },
  });
  outgoing.on('error', () => resolve(undefined));
  outgoing.on('upgrade', (response) =>
    resolve({ status: response.statusCode ?? 0, body: '', complete: true }),
  );
  let responded = false;
  outgoing.on('response', (response) => {
    responded = true;
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', () => resolve(undefined));
    response.on('end', () => {
      const body = Buffer.concat(pieces).toString('latin1');
      resolve({ status: response.statusCode ?? 0, body, complete: response.complete });
    });
  });
  outgoing.on('close', () => {
    if (!responded) resolve(undefined);
  });
  outgoing.end();
  // The connection's first turn is when the request is written.
  setImmediate(() => {
    socket.push(input);
    socket.push(null);
  });
  return promise.finally(() => socket.destroy());
}

const STEPS = [1, 7, Number.MAX_SAFE_INTEGER];

/** Where we read what Node refuses, as Go does. None of it changes where a response ends. */
const LESS_STRICT = [
  /HTTP\/1\.\d 1\d\d[^\r]*\r\n[^\r]/, // an interim response with headers of the connection
  /HTTP\/1\.0 1\d\d/, // an interim response of HTTP/1.0
  /HTTP\/1\.1 101/, // another protocol that was not asked for: the connection decides, not its reader
  /content-length:[\s\S]*content-length:/i, // the same length twice
  /^[0-9a-f]+[ \t]+\r?$/im, // spaces behind the size of a chunk
  /\r\n0+\r\n[\s\S]*(?:content-length|transfer-encoding)/i, // trailers that would say it in a head
  /^[0-9a-f]+[ \t]*;/im, // an extension of a chunk, which nobody reads
];

const text = (input: Buffer): string => input.toString('latin1');

class NotComplete extends Error {}

export const http1Target: FuzzTarget = {
  name: 'the HTTP/1.1 response reader',
  corpus: 'http1-responses',
  encoding: 'latin1',
  // biome-ignore format: a list of pieces reads better in few lines
  tokens: [
    'HTTP/1.1 200 OK\r\n', 'HTTP/1.0 200 OK\r\n', 'HTTP/1.1 204 \r\n', 'HTTP/1.1 304 x\r\n', 'HTTP/1.1 103 x\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/2 200\r\n', 'HTTP/1.1 99 x\r\n',
    '\r\n', '\n', '\r', '\r\n\r\n', 'Content-Length: 5\r\n', 'Content-Length: 0\r\n', 'Content-Length: 5, 5\r\n', 'Content-Length: +5\r\n', 'Content-Length: 99999999999999999999\r\n',
    'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip, chunked\r\n', 'Transfer-Encoding:\x0bchunked\r\n', 'Transfer-Encoding : chunked\r\n', 'transfer-encoding: CHUNKED\r\n', 'Transfer-Encoding: identity\r\n',
    'Connection: close\r\n', 'X: y\r\n', ' folded\r\n', '\tfolded\r\n', ': x\r\n', 'X\0: y\r\n', 'X: \0\r\n', 'X: \xe9\r\n', 'hello', '5\r\nhello\r\n', '0\r\n\r\n', '5;a=b\r\nhello\r\n', '0x5\r\nhello\r\n',
    '5 \r\nhello\r\n', ' 5\r\nhello\r\n', '05\r\nhello\r\n', 'ffffffffffff\r\n', 'fffffffffffffffff\r\n', '-1\r\n', '0\r\nA: b\r\n\r\n', '5\nhello\n', '5\r\nhelloX\r\n', '0\r\n',
  ],
  bytesMax: 1500,
  async run(input) {
    let first: Read | undefined;
    let used = 0;
    let refusal: unknown;
    for (const step of STEPS) {
      try {
        const { used: usedBytes, ...one } = read(input, step);
        if (step === 1) used = usedBytes;
        assert.ok(refusal === undefined, 'read in these pieces, refused in others');
        // A response that never ends may have given more of its body when it came in larger pieces.
        if (first !== undefined) assert.deepEqual(one, first, 'another response in other pieces');
        first ??= one;
      } catch (error) {
        if (!(error instanceof ResponseSyntaxError)) throw error;
        assert.ok(first === undefined, 'refused in these pieces, read in others');
        refusal ??= error;
      }
    }
    if (first === undefined) throw refusal;
    if (!first.complete) throw new NotComplete(`no end behind ${first.status}`);
    const theirs = await reference(input.subarray(0, used));
    const isKnown = LESS_STRICT.some((one) => one.test(text(input)));
    if (!isKnown) assert.deepEqual(first, theirs, 'Node reads another response');
    return `${first.status} ${first.body.length > 0}`;
  },
  refuses: errorsOf(ResponseSyntaxError, NotComplete),
};
