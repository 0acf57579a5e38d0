import { lookup } from 'node:dns';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebhookClientConfig } from '@tributary/api/apiextensions-v1';
import { stringifyJson } from '@tributary/apimachinery';
import { coalesceChunks, limitInterimResponses } from '@tributary/client/http';
import { goNetworkError } from './go-network-error.ts';
import { decodeWebhookResponse, type WebhookResponse } from './webhook-response.ts';

/** Calls a webhook and returns the decoded response. Throws errors with the texts of Go's HTTP client. */
export type CallWebhook = (
  config: WebhookClientConfig,
  body: object,
  signal: AbortSignal,
) => Promise<unknown>;

/** The current endpoint of a Service. Throws when there is none. */
export type ResolveService = (service: {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}) => { readonly host: string; readonly port: number };

interface WebhookCalls {
  readonly call: CallWebhook;
  /** Closes idle connections. */
  close(): void;
}

/** As upstream. */
const TIMEOUT_MS = 30_000;
/** More than a conversion of the largest batch; larger responses are aborted. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;
/** Per webhook; further calls wait for a free connection. */
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
        const endpoint = target.service && endpointOf(target.service, resolveService, url);
        const text = Buffer.from(stringifyJson(body));
        const response = await send({
          url,
          endpoint,
          ca: target.ca,
          text,
          agent,
          timeoutMs,
          signal,
        });
        return decodeWebhookResponse(response);
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
  /** PEM; the system's authorities by default. */
  readonly ca: string | undefined;
  /** The Service to connect to instead of the host of the URL. */
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

function endpointOf(
  service: Parameters<ResolveService>[0],
  resolve: ResolveService,
  url: string,
): ReturnType<ResolveService> {
  try {
    return resolve(service);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Post ${JSON.stringify(url)}: ${reason}`, { cause: error });
  }
}

interface WebhookRequest {
  readonly url: string;
  readonly ca: string | undefined;
  readonly endpoint: ReturnType<ResolveService> | undefined;
  readonly text: Buffer;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function send({
  url,
  ca,
  endpoint,
  text,
  agent,
  timeoutMs,
  signal,
}: WebhookRequest): Promise<WebhookResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WebhookResponse>();
  const limit = AbortSignal.timeout(timeoutMs);
  const outgoing = request(url, {
    method: 'POST',
    agent,
    ...(ca !== undefined && { ca }),
    // The certificate names the Service, not its endpoint.
    ...(endpoint !== undefined && {
      servername: new URL(url).hostname,
      lookup: ((_name, options, found) => lookup(endpoint.host, options, found)) as LookupFunction,
      port: endpoint.port,
    }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'content-length': text.byteLength,
      ...(endpoint !== undefined && { host: new URL(url).host }),
    },
    signal: AbortSignal.any([signal, limit]),
  });
  outgoing.on('error', (error) => reject(limit.aborted ? limit.reason : error));
  limitInterimResponses(outgoing);
  outgoing.on('response', (response) => {
    coalesceChunks(response);
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes > RESPONSE_BYTES_MAX) outgoing.destroy(new Error('the response is too large'));
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
  outgoing.end(text);
  return promise;
}
