import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { LoadTarget } from './http-load.ts';

/** The window of Go's transport, which kubectl, controllers and proxies use; Node's default is 64 KiB. */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 1024 * 1024 * 1024;
/** In megabytes. Node counts buffered data, and ten lists exceed its default. */
const SESSION_MEMORY = 500;

/** An HTTP/2 connection with the window sizes of Kubernetes' clients. */
export async function goLikeSession({
  port,
  ca,
  cert,
  key,
  serverName,
}: Omit<LoadTarget, 'path'>): Promise<ClientHttp2Session> {
  const session = connect(`https://127.0.0.1:${port}`, {
    ca,
    cert,
    key,
    maxSessionMemory: SESSION_MEMORY,
    settings: { initialWindowSize: STREAM_WINDOW_BYTES },
    ...(serverName !== undefined && { servername: serverName }),
  });
  await once(session, 'connect');
  session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  return session;
}
