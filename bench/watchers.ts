import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Readable } from 'node:stream';
import type { LoadTarget } from './http-load.ts';

export interface Watchers extends AsyncDisposable {
  /** Resolves when every watcher has received this many more events, with the delays of a sample in ms. */
  expect(events: number): Promise<number[]>;
}

const STREAMS_PER_CONNECTION = 100;
const NEWLINE = 0x0a;
/** One watcher in this many reads the time in its events; the others only count lines. */
const SAMPLED = 50;

/** Clients that read a watch and count its events. */
export async function openWatchers(
  target: LoadTarget,
  { count, http }: { count: number; http: '1.1' | '2' },
): Promise<Watchers> {
  const close: (() => void)[] = [];
  const streams =
    http === '2' ? await openHttp2(target, count, close) : await openHttp1(target, count, close);
  let left = 0;
  let delays: number[] = [];
  let finished: (() => void) | undefined;
  for (const [index, stream] of streams.entries()) {
    stream.on('data', (chunk: Buffer) => {
      if (index % SAMPLED === 0) delays.push(...delaysIn(chunk));
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1))
        left -= 1;
      if (left <= 0) finished?.();
    });
  }
  return {
    expect: async (events) => {
      left = events * streams.length;
      delays = [];
      await new Promise<void>((resolve) => {
        finished = resolve;
      });
      return delays;
    },
    [Symbol.asyncDispose]: async () => {
      for (const end of close) end();
    },
  };
}

function delaysIn(chunk: Buffer): number[] {
  const now = Date.now();
  return [...chunk.toString('latin1').matchAll(/"at":"(\d+)"/g)].map(([, at]) => now - Number(at));
}

async function openHttp2(
  target: LoadTarget,
  count: number,
  close: (() => void)[],
): Promise<Readable[]> {
  const { port, ca, cert, key, path } = target;
  const streams: Readable[] = [];
  for (let first = 0; first < count; first += STREAMS_PER_CONNECTION) {
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      ca,
      cert,
      key,
      ...(target.serverName !== undefined && { servername: target.serverName }),
    });
    session.setMaxListeners(0);
    close.push(() => session.destroy());
    for (let index = first; index < Math.min(count, first + STREAMS_PER_CONNECTION); index += 1) {
      const stream = session.request({ ':path': path });
      stream.on('error', () => {}); // the session is destroyed at the end
      await once(stream, 'response');
      streams.push(stream);
    }
  }
  return streams;
}

/** A connection per watcher, as for clients without HTTP/2. */
async function openHttp1(
  target: LoadTarget,
  count: number,
  close: (() => void)[],
): Promise<Readable[]> {
  const { request, Agent } = await import('node:https');
  const { port, ca, cert, key, path } = target;
  const agent = new Agent({ ca, cert, key, keepAlive: false });
  const streams: Readable[] = [];
  for (let index = 0; index < count; index += 1) {
    const outgoing = request({ host: '127.0.0.1', port, path, agent });
    outgoing.on('error', () => {}); // it is destroyed at the end
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [Readable];
    streams.push(response);
    close.push(() => outgoing.destroy());
  }
  return streams;
}
