/** A client in another thread, so that its work does not count as the server's. */
import { once } from 'node:events';
import { request } from 'node:https';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { TestCore } from './core-fixture.ts';

export interface ForeignRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ForeignResponse {
  readonly code: number;
  /** The beginning of the body. */
  readonly text: string;
  readonly length: number;
}

export interface ForeignClient extends AsyncDisposable {
  send(request: ForeignRequest): Promise<ForeignResponse>;
}

interface Place {
  readonly url: string;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

const TEXT_MAX = 4096;

export function foreignClient({ server, pki }: TestCore): ForeignClient {
  const place: Place = { url: server.url, ...pki.admin, ca: pki.servingCa };
  const worker = new Worker(new URL(import.meta.url), { workerData: place });
  return {
    send: async (one) => {
      worker.postMessage(one);
      const [response] = (await once(worker, 'message')) as [ForeignResponse | Error];
      if (response instanceof Error) throw response;
      return response;
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

function respond(
  { url, cert, key, ca }: Place,
  { method, path, body, headers }: ForeignRequest,
): Promise<ForeignResponse> {
  const { hostname, port } = new URL(url);
  const given = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  // A client certificate would take precedence over a token.
  const identity = headers?.authorization === undefined ? { cert, key } : {};
  const options = { method, hostname, port, path, headers: given, ...identity, ca, agent: false };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = '';
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (text.length < TEXT_MAX) text += chunk.toString('latin1', 0, TEXT_MAX);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode ?? 0, text, length }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  port.on('message', (one: ForeignRequest) => {
    respond(workerData as Place, one).then(
      (response) => port.postMessage(response),
      (error: unknown) => port.postMessage(error),
    );
  });
}
