/** A server that rows are sent to. */
import { gunzipSync } from 'node:zlib';
import {
  httpsRequest,
  httpsStream,
  type RequestOptions,
  type Response,
  type ResponseHead,
} from '../../test/harness/index.ts';
import type { Json } from './json.ts';
import type { Identity } from './row.ts';
import type { RawResponse } from './step-result.ts';

const TIMEOUT_MS = 60_000;

/** A request with every placeholder filled. */
export interface Call {
  method: string;
  /** Path and query. */
  url: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string | undefined;
  protocol: 'h1' | 'h2';
  as: Identity;
}

export interface OpenWatch {
  status: number;
  headers: RawResponse['headers'];
  events: AsyncIterable<Json>;
  /** Changes the events as a server with a bug would. */
  change?: (events: readonly Json[]) => readonly Json[];
  close(): Promise<void>;
}

export interface Target {
  name: string;
  /** Release of the program behind it. */
  version: string;
  /** Creates a namespace, where the target checks its existence. */
  prepareNamespace(namespace: string): Promise<void>;
  send(call: Call): Promise<RawResponse>;
  /** Resolves once the headers are there. */
  watch(call: Call): Promise<OpenWatch>;
}

export type Credential = Pick<RequestOptions, 'cert' | 'key' | 'token'>;

export interface HttpsTargetOptions extends Omit<Target, 'send' | 'watch'> {
  /** Without a path. */
  url: string;
  /** PEM of the CA of the server's certificate. */
  ca: string;
  /** The name in the server's certificate, when that is not its address. */
  servername?: string;
  /** Of all users of the rows for this target. */
  credentials: Readonly<Partial<Record<Identity, Credential>>>;
}

export function httpsTarget({
  url,
  ca,
  servername,
  credentials,
  ...rest
}: HttpsTargetOptions): Target {
  const optionsOf = (call: Call): RequestOptions => ({
    method: call.method,
    headers: call.headers,
    http: call.protocol === 'h2' ? '2' : '1.1',
    ca,
    ...(servername === undefined ? {} : { servername }),
    ...(call.body === undefined ? {} : { body: call.body }),
    ...credentialOf(call.as, credentials),
  });
  return {
    ...rest,
    send: async (call) => {
      const response = await httpsRequest(url + call.url, {
        timeoutMs: TIMEOUT_MS,
        ...optionsOf(call),
      });
      return { status: response.status, headers: headerPairs(response), body: bodyText(response) };
    },
    watch: async (call) => {
      const stream = await httpsStream(url + call.url, optionsOf(call));
      return {
        status: stream.status,
        headers: headerPairs(stream),
        events: stream.lines as AsyncIterable<Json>,
        close: () => stream.close(),
      };
    },
  };
}

function credentialOf(
  identity: Identity,
  credentials: HttpsTargetOptions['credentials'],
): Credential {
  const credential = credentials[identity];
  if (credential === undefined) throw new Error(`no credential for ${identity}`);
  return credential;
}

function headerPairs({ rawHeaders }: ResponseHead): RawResponse['headers'] {
  return rawHeaders.map(([name, value]) => [name.toLowerCase(), value] as const);
}

function bodyText({ headers, bytes, body }: Response): string {
  const zipped = headers['content-encoding'] === 'gzip' && bytes.length > 0;
  return zipped ? gunzipSync(bytes).toString('utf8') : body;
}
