/** Many watches over few connections, counted rather than read. */
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Credentials } from '../faults/target.ts';
import { defer, eventually, type TestScope } from '../harness/index.ts';

export interface WatchCrowd {
  /** Returns when every watch got at least one event of the object with this name. */
  allGot(name: string): Promise<void>;
  /** How many ended. */
  ended(): number;
}

/** Below what servers let one connection have. */
const STREAMS_PER_SESSION = 200;

/** Open when this returns: every one has its headers, with 200. */
export async function openWatches(
  scope: TestScope,
  options: { url: string; credentials: Credentials; path: string; count: number },
): Promise<WatchCrowd> {
  const { url, credentials, path, count } = options;
  const sessions: ClientHttp2Session[] = [];
  defer(scope, () => {
    for (const session of sessions) session.destroy();
  });
  const texts: string[] = [];
  let ended = 0;
  for (let opened = 0; opened < count; opened += STREAMS_PER_SESSION) {
    const session = connect(url, { ...credentials });
    session.on('error', () => undefined); // Its watches end, which is counted.
    sessions.push(session);
    const size = Math.min(STREAMS_PER_SESSION, count - opened);
    const streams = Array.from({ length: size }, () => session.request({ ':path': path }));
    for (const [index, stream] of streams.entries()) {
      texts[opened + index] = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        texts[opened + index] += chunk;
      });
      stream.on('error', () => undefined); // As above.
      stream.on('close', () => {
        ended += 1;
      });
    }
    await Promise.all(streams.map(responded));
  }
  return {
    ended: () => ended,
    allGot: async (name) => {
      const got = (): number => texts.filter((text) => text.includes(`"name":"${name}"`)).length;
      const isComplete = (): boolean => got() === count;
      await eventually(() => `${got()} of ${count} watches got ${name}`, isComplete);
    },
  };
}

async function responded(stream: ClientHttp2Stream): Promise<void> {
  const [headers] = (await once(stream, 'response')) as [{ ':status'?: number }];
  if (headers[':status'] !== 200) throw new Error(`a watch was answered ${headers[':status']}`);
}
