/** Bytes on a connection, as an attacker sends them: nothing is checked, everything is bounded. */
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Site } from './site.ts';

export interface ConnectOptions {
  readonly alpn?: 'h2' | 'http/1.1';
  /** Shows the certificate of the user who is attacking. */
  readonly asUser?: boolean;
}

const CONNECT_MS = 20_000;
const BYTES_MAX = 1024 * 1024;

export async function openTls(site: Site, options: ConnectOptions = {}): Promise<TLSSocket> {
  const { alpn = 'http/1.1', asUser = false } = options;
  const socket = connect({
    host: site.host,
    port: site.port,
    ca: site.ca,
    ALPNProtocols: [alpn],
    ...(asUser ? site.attacker : {}),
  });
  socket.on('error', () => undefined); // 'close' follows
  await once(socket, 'secureConnect', { signal: AbortSignal.timeout(CONNECT_MS) });
  return socket;
}

export async function openTcp(site: Site): Promise<Socket> {
  const socket = connectTcp({ host: site.host, port: site.port });
  socket.on('error', () => undefined); // 'close' follows
  await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
  return socket;
}

/** Resolves with the bytes received until the other side closes, or is silent for a while. */
export async function respondTo(
  socket: Socket,
  bytes: Uint8Array,
  { silentMs = 300, totalMs = 5_000 } = {},
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pieces: Buffer[] = [];
  let length = 0;
  const total = setTimeout(resolve, totalMs);
  let silence = setTimeout(resolve, totalMs);
  socket.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length <= BYTES_MAX) pieces.push(piece);
    clearTimeout(silence);
    silence = setTimeout(resolve, silentMs);
  });
  socket.on('close', () => resolve());
  socket.write(bytes);
  await promise;
  clearTimeout(total);
  clearTimeout(silence);
  socket.destroy();
  return Buffer.concat(pieces).toString('latin1');
}

/** A frame of HTTP/2. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, payload]);
}

export const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(4, 0, 0, Buffer.alloc(0)),
]);

/** Header fields without compression and without the index: HPACK allows them, and no client sends them. */
export function plainFields(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    fields.map(([name, value]) =>
      Buffer.concat([
        Buffer.of(0),
        lengthOf(name),
        Buffer.from(name),
        lengthOf(value),
        Buffer.from(value),
      ]),
    ),
  );
}

function lengthOf(text: string): Buffer {
  const bytes: number[] = [];
  let rest = Buffer.byteLength(text);
  if (rest < 127) return Buffer.of(rest);
  bytes.push(127);
  for (rest -= 127; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.of(...bytes, rest);
}
