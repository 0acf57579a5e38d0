import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

export interface LoadTarget {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly path: string;
  /** The name in the certificate, when it is not the address. */
  readonly serverName?: string;
}

export interface Load {
  readonly connections: number;
  readonly forMs: number;
  /** Go's clients request gzip by default; over HTTP/2 only. */
  readonly gzip?: boolean;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
}

/**
 * Keeps connections busy with one GET after another over HTTP/1.1. It only finds the end of each response, so that
 * the client takes little CPU of the machine it shares with the server.
 */
export async function loadHttp1(target: LoadTarget, load: Load): Promise<LoadResult> {
  const started = performance.now();
  const end = started + load.forMs;
  const lanes = Array.from({ length: load.connections }, () => runLane(target, end));
  const counts = await Promise.all(lanes);
  return {
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: (performance.now() - started) / 1000,
  };
}

async function runLane(
  target: LoadTarget,
  end: number,
): Promise<{ requests: number; bytes: number }> {
  const { port, ca, cert, key, path } = target;
  const socket = connect({ host: '127.0.0.1', port, ca, cert, key, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json\r\n\r\n`,
  );
  let requests = 0;
  let bytes = 0;
  try {
    while (performance.now() < end) {
      socket.write(request);
      bytes += await readResponse(socket);
      requests += 1;
    }
  } finally {
    socket.destroy();
  }
  return { requests, bytes };
}

const CHUNKED_END = Buffer.from('\r\n0\r\n\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads one response and returns its length in bytes. */
function readResponse(socket: TLSSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    let total = 0;
    let expected = -1;
    let head: Buffer = Buffer.alloc(0);
    let tail: Buffer = Buffer.alloc(0);
    const finish = (outcome: () => void) => {
      socket.off('data', onData);
      socket.off('close', onClose);
      outcome();
    };
    const onClose = () => finish(() => reject(new Error('the server closed the connection')));
    const onData = (chunk: Buffer) => {
      total += chunk.length;
      if (expected === -1) {
        head = Buffer.concat([head, chunk]);
        const at = head.indexOf(HEAD_END);
        if (at === -1) return;
        const text = head.subarray(0, at).toString('latin1');
        if (!text.startsWith('HTTP/1.1 200')) {
          finish(() => reject(new Error(`the server responded ${text.split('\r\n')[0]}`)));
          return;
        }
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
        expected = length === undefined ? 0 : at + HEAD_END.length + Number(length);
      }
      tail = expected === 0 ? lastBytes(tail, chunk) : tail;
      const done = expected === 0 ? tail.equals(CHUNKED_END) : total >= expected;
      if (done) finish(() => resolve(total));
    };
    socket.on('data', onData);
    socket.on('close', onClose);
  });
}

function lastBytes(tail: Buffer, chunk: Buffer): Buffer {
  const length = CHUNKED_END.length;
  const joined = chunk.length >= length ? chunk : Buffer.concat([tail, chunk]);
  return Buffer.from(joined.subarray(Math.max(0, joined.length - length)));
}
