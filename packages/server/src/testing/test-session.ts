import type { ApiDefinition } from '../definition/api.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import { memoryExchange } from '../http/in-process/memory-exchange.ts';
import type { Exchange } from '../http/listener/exchange.ts';
import { serveExchanges } from '../http/listener/serve-exchanges.ts';
import { BODY_BYTES_MAX } from '../program/server.ts';
import type { Handler, UserInfo } from '../request/pipeline.ts';
import { type TestClient, testClient } from './test-client.ts';
import {
  bodyBytes,
  headerLines,
  requireSuccess,
  type TestRequestOptions,
  type TestResponse,
  testResponse,
} from './test-requests.ts';
import { type TestUser, type TestUsers, userOf } from './test-users.ts';
import { type TestWatch, testWatch } from './test-watch.ts';

/** The server with the rights of one user. */
export interface TestSession {
  /** Sends any request through the whole server except the socket. Failures are responses, too. */
  request<ResponseObject = unknown>(
    method: string,
    path: string,
    options?: TestRequestOptions & { readonly user?: TestUser },
  ): Promise<TestResponse<ResponseObject>>;
  /** Watches a path with `watch=true` in its query. Resolves when the watch is open; a rejection is thrown. */
  watch<Object = unknown>(path: string, options?: TestRequestOptions): Promise<TestWatch<Object>>;
  /** Typed by the resource's storage version. */
  client<Object, ByVersion>(
    resource: ResourceDefinition<Object, ByVersion>,
  ): TestClient<Object, ByVersion>;
  as(user: TestUser): TestSession;
}

interface SessionParts {
  readonly apis: readonly ApiDefinition[];
  readonly users: TestUsers;
  readonly serve: (exchange: Exchange) => void;
}

/** Serves the exchanges of sessions like a port. */
export function exchangeServer(
  handler: Handler,
  reportBug: (error: unknown) => void,
): (exchange: Exchange) => void {
  return serveExchanges({ handler, bodyBytesMax: BODY_BYTES_MAX, reportBug });
}

const NAMESPACE = 'default';

export function testSession(parts: SessionParts, user: UserInfo): TestSession {
  const { apis, users, serve } = parts;
  const begin = (method: string, target: string, options: TestRequestOptions, who: UserInfo) => {
    const one = memoryExchange({
      method,
      target,
      headerLines: headerLines(method, options),
      body: bodyBytes(options.body),
      peer: users.peerOf(who),
    });
    serve(one.exchange);
    return one;
  };
  const session: TestSession = {
    async request<ResponseObject>(
      method: string,
      path: string,
      options: TestRequestOptions & { readonly user?: TestUser } = {},
    ) {
      const who = options.user === undefined ? user : userOf(options.user);
      const { head, body } = begin(method, path, options, who);
      const { code, headers } = await head;
      return testResponse(code, headers, await collect(body)) as TestResponse<ResponseObject>;
    },
    async watch<Object>(path: string, options: TestRequestOptions = {}) {
      const { head, body, leave } = begin('GET', path, options, user);
      const { code, headers } = await head;
      if (code !== 200) requireSuccess(testResponse(code, headers, await collect(body)));
      return testWatch<Object>(body, leave);
    },
    client: (resource) => {
      const group = groupOf(apis, resource);
      const place = { group, version: resource.storageVersion, namespace: NAMESPACE };
      return testClient({ send: session, resource }, place);
    },
    as: (other) => testSession(parts, userOf(other)),
  };
  return session;
}

function groupOf(apis: readonly ApiDefinition[], resource: ResourceDefinition): string {
  const api = apis.find(({ resources }) => resources.includes(resource));
  if (api === undefined) throw new Error(`${resource.kind} is not served here`);
  return api.group;
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
