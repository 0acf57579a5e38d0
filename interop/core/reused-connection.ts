/** One HTTP/2 connection for many requests: a handshake for each would be most of a run's time. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import type { RawResponse } from '../differential/step-result.ts';
import type { Call, Credential } from '../differential/target.ts';

const TIMEOUT_MS = 60_000;

export interface ConnectionOptions {
  /** Without a path. */
  url: string;
  ca: string;
  credential: Credential;
}

/** Sends as one user. A connection that the server ends is opened again for the next request. */
export function keepConnection({
  url,
  ca,
  credential,
}: ConnectionOptions): (call: Call) => Promise<RawResponse> {
  const { token, ...certificate } = credential;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let session: ClientHttp2Session | undefined;
  const open = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(url, { ca, ...certificate });
      session.on('goaway', () => session?.close());
      session.on('error', () => undefined); // Every request of it fails, and says so.
    }
    return session;
  };
  return (call) => exchange(open(), { ...call, headers: { ...authorization, ...call.headers } });
}

async function exchange(session: ClientHttp2Session, call: Call): Promise<RawResponse> {
  const body = call.body === undefined ? undefined : Buffer.from(call.body);
  const stream = session.request(
    {
      [constants.HTTP2_HEADER_METHOD]: call.method,
      [constants.HTTP2_HEADER_PATH]: call.url,
      ...(call.headers as Record<string, string | string[]>),
      ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
    },
    { endStream: body === undefined, signal: AbortSignal.timeout(TIMEOUT_MS) },
  );
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const responded = once(stream, 'response');
  const ended = once(stream, 'close');
  if (body !== undefined) stream.end(body);
  // A stream that closes without an answer must not be waited for.
  await Promise.race([responded, ended]);
  await ended;
  if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw new Error(`reset: ${stream.rstCode}`);
  const [headers, , flat] = (await responded) as [Record<string, unknown>, number, string[]];
  return {
    status: Number(headers[constants.HTTP2_HEADER_STATUS]),
    headers: pairsOf(flat),
    body: textOf(Buffer.concat(chunks), headers['content-encoding']),
  };
}

function textOf(bytes: Buffer, encoding: unknown): string {
  return (encoding === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString('utf8');
}

function pairsOf(flat: readonly string[]): RawResponse['headers'] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = (flat[index] ?? '').toLowerCase();
    if (!name.startsWith(':')) pairs.push([name, flat[index + 1] ?? '']);
  }
  return pairs;
}
