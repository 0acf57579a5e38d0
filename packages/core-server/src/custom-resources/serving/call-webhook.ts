import { lookup } from 'node:dns';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebhookClientConfig } from '@tributary/api/apiextensions-v1';
import { stringifyJson } from '@tributary/apimachinery';
import { coalesceChunks, limitInterimResponses } from '@tributary/client/http';
import { goNetworkError } from './go-network-error.ts';
import { readWebhookAnswer, type WebhookAnswer } from './webhook-response.ts';

/** Asks a webhook, and gives its answer as JSON. Throws an error with Go's words for what went wrong. */
export type CallWebhook = (
  config: WebhookClientConfig,
  body: object,
  signal: AbortSignal,
) => Promise<unknown>;

/** Where a service answers at the moment; throws why nowhere. */
export type ResolveService = (service: {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}) => { readonly host: string; readonly port: number };

interface WebhookCalls {
  readonly call: CallWebhook;
  /** Connections that wait for the next call are closed. */
  close(): void;
}

/** As upstream. */
const TIMEOUT_MS = 30_000;
/** More than all that is asked at once can become; who sends more is not read further. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Per webhook; further calls wait for one of these connections. */
const CONNECTIONS_MAX = 25;
const IDLE_CONNECTIONS_MAX = 4;

interface WebhookOptions {
  readonly resolveService: ResolveService;
  /** Default: upstream's 30 seconds. */
  readonly timeoutMs?: number;
}

export function webhookCalls({
  resolveService,
  timeoutMs = TIMEOUT_MS,
}: WebhookOptions): WebhookCalls {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS_MAX,
    maxFreeSockets: IDLE_CONNECTIONS_MAX,
  });
  return {
    call: async (config, body, signal) => {
      const target = targetOf(config);
      const url = `${target.url}?timeout=${timeoutMs / 1000}s`;
      try {
        const place = target.service && placeOf(target.service, resolveService, url);
        const text = Buffer.from(stringifyJson(body));
        const answer = await send({ url, place, ca: target.ca, text, agent, timeoutMs, signal });
        return readWebhookAnswer(answer);
      } catch (error) {
        throw goNetworkError(error, { method: 'Post', url });
      }
    },
    close: () => agent.destroy(),
  };
}

interface WebhookTarget {
  /** Without a query. */
  readonly url: string;
  /** PEM; the system's authorities without one. */
  readonly ca: string | undefined;
  /** Where it is, when that is not what the URL says. */
  readonly service?: Parameters<ResolveService>[0];
}

function targetOf(config: WebhookClientConfig): WebhookTarget {
  const bundle = Buffer.from(config.caBundle ?? '', 'base64').toString('utf8');
  const ca = bundle.trim() === '' ? undefined : bundle;
  const { service } = config;
  if (service === undefined) return { url: config.url ?? '', ca };
  const { namespace, name, port = 443, path = '/' } = service;
  const url = `https://${name}.${namespace}.svc:${port}${path}`;
  return { url, ca, service: { namespace, name, port } };
}

function placeOf(
  service: Parameters<ResolveService>[0],
  resolve: ResolveService,
  url: string,
): ReturnType<ResolveService> {
  try {
    return resolve(service);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Post ${JSON.stringify(url)}: ${why}`, { cause: error });
  }
}

interface Sending {
  readonly url: string;
  readonly ca: string | undefined;
  readonly place: ReturnType<ResolveService> | undefined;
  readonly text: Buffer;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function send({ url, ca, place, text, agent, timeoutMs, signal }: Sending): Promise<WebhookAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>();
  const limit = AbortSignal.timeout(timeoutMs);
  const asked = request(url, {
    method: 'POST',
    agent,
    ...(ca !== undefined && { ca }),
    // The certificate is for the name of the service, wherever that is.
    ...(place !== undefined && {
      servername: new URL(url).hostname,
      lookup: ((_name, options, found) => lookup(place.host, options, found)) as LookupFunction,
      port: place.port,
    }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'content-length': text.byteLength,
      ...(place !== undefined && { host: new URL(url).host }),
    },
    signal: AbortSignal.any([signal, limit]),
  });
  asked.on('error', (error) => reject(limit.aborted ? limit.reason : error));
  limitInterimResponses(asked);
  asked.on('response', (response) => {
    coalesceChunks(response);
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes > ANSWER_BYTES_MAX) asked.destroy(new Error('the answer is too large'));
    });
    response.on('end', () =>
      resolve({
        code: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        body: Buffer.concat(chunks),
      }),
    );
    response.on('error', (error) => reject(limit.aborted ? limit.reason : error));
  });
  asked.end(text);
  return promise;
}
