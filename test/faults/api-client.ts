/** One client with one connection, kept open as clients do. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { Target } from './target.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A server that is killed closes its connections: only one that hangs takes this long. */
const TIMEOUT_MS = 60_000;
const JSON_BODY = { 'content-type': 'application/json' } as const;

export class ApiClient {
  readonly name: string;
  readonly #target: Target;
  readonly #agent: Agent;

  constructor(name: string, target: Target) {
    this.name = name;
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ...target.credentials });
  }

  /** The response, or an error without one: then the result of the request is unknown. */
  async send(method: string, path: string, body?: object): Promise<Reply> {
    const url = await this.#target.url();
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const outgoing = request(url + path, {
      method,
      agent: this.#agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // With its length: Node does not frame the body of a DELETE by itself.
      headers: bytes === undefined ? {} : { ...JSON_BODY, 'content-length': bytes.byteLength },
    });
    const responded = once(outgoing, 'response');
    outgoing.end(bytes);
    const [incoming] = (await responded) as [IncomingMessage];
    outgoing.on('error', () => undefined); // The readable side reports it.
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const response = Buffer.concat(chunks).toString('utf8');
    const { statusCode: status = 0, headers } = incoming;
    return { status, headers, body: JSON.parse(response) };
  }

  close(): void {
    this.#agent.destroy();
  }
}
