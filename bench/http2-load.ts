import type { ClientHttp2Session } from 'node:http2';
import { goLikeSession } from './go-like-session.ts';
import type { Load, LoadResult, LoadTarget } from './http-load.ts';

/** Concurrent streams of each connection, as a busy client has them. */
const STREAMS = 10;

/** The same load over HTTP/2, the protocol of kubectl and client-go: few connections, many requests on each. */
export async function loadHttp2(target: LoadTarget, load: Load): Promise<LoadResult> {
  const started = performance.now();
  const end = started + load.forMs;
  const connections = Array.from({ length: load.connections }, () =>
    runConnection(target, end, load.gzip ?? false),
  );
  const counts = (await Promise.all(connections)).flat();
  return {
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: (performance.now() - started) / 1000,
  };
}

interface Count {
  readonly requests: number;
  readonly bytes: number;
}

async function runConnection(target: LoadTarget, end: number, gzip: boolean): Promise<Count[]> {
  const { path } = target;
  const session = await goLikeSession(target);
  try {
    return await Promise.all(
      Array.from({ length: STREAMS }, () => runLane(session, { path, gzip }, end)),
    );
  } finally {
    session.destroy();
  }
}

interface Wanted {
  readonly path: string;
  readonly gzip: boolean;
}

async function runLane(session: ClientHttp2Session, wanted: Wanted, end: number): Promise<Count> {
  let requests = 0;
  let bytes = 0;
  while (performance.now() < end) {
    bytes += await ask(session, wanted);
    requests += 1;
  }
  return { requests, bytes };
}

function ask(session: ClientHttp2Session, { path, gzip }: Wanted): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':path': path,
      accept: 'application/json',
      ...(gzip && { 'accept-encoding': 'gzip' }),
    });
    let bytes = 0;
    stream.on('response', ({ ':status': status }) => {
      if (status !== 200) reject(new Error(`the server responded ${status}`));
    });
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    stream.on('end', () => resolve(bytes));
    stream.on('error', reject);
  });
}
