/** OpenAPI of an aggregator in the hands of a test: its clock, its registrations, and what it kept. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { ApiDefinition, ApiResponse } from '@tributary/server';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { MetricsRegistry } from '@tributary/server/operations';
import Type from 'typebox';
import { defer } from '../../../test/harness/index.ts';
import { requestFor } from '../../server/test/request-fixture.ts';
import type { DocumentStore, StoredDocument } from '../src/document-store/document-store.ts';
import type { DocumentThread } from '../src/openapi/document-thread.ts';
import { FIRST_ASK_MS } from '../src/openapi/poll-server.ts';
import { startOpenApi } from '../src/openapi/start-openapi.ts';
import { DelayClock } from './delay-clock.ts';
import { directBackends } from './direct-backends.ts';
import { type Behaviour, testAvailability, testRegistrations } from './discovery-fixture.ts';

const thing = defineResource({
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
  versions: { v1: version({ spec: Type.Object({ size: Type.Integer() }) }) },
});
export const localApi = defineApi({ group: 'local.example.com', resources: [thing] });

export type BytesResponse = ApiResponse & { readonly kind: 'bytes' };
export type OpenApiFixture = ReturnType<typeof openApiFixture>;

export function openApiFixture(
  t: TestContext,
  options: {
    readonly documents?: DocumentStore;
    readonly cachedBytesMax?: number;
    readonly localApis?: () => readonly ApiDefinition[];
    readonly thread?: DocumentThread;
  } = {},
) {
  const registrations = testRegistrations();
  const availability = testAvailability();
  const clock = new DelayClock();
  const problems: string[] = [];
  const rounds = new Map<string, number>();
  const apis = [localApi];
  const openApi = startOpenApi({
    registrations,
    availability,
    backends: directBackends(),
    documents: memoryStore(),
    localApis: () => apis,
    clock,
    log: collectingLog(problems),
    onAsked: (name) => rounds.set(name, (rounds.get(name) ?? 0) + 1),
    ...options,
  });
  const registry = new MetricsRegistry();
  openApi.registerMetrics(registry);
  defer(t, () => openApi.close());

  const ask = async (target: string, headers: Readonly<Record<string, string>> = {}) =>
    openApi.route(requestFor(target, { headerLines: Object.entries(headers).flat() }));
  const get = async (target: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await ask(target, headers);
    assert.equal(response?.kind, 'bytes');
    return response as BytesResponse;
  };
  const json = async (target: string) => JSON.parse(textOf(await get(target)));
  return {
    ...{ registrations, availability, clock, problems, openApi, ask, get, json },
    metrics: () => registry.text(),
    /** How many rounds of requests to the server of a registration have ended. */
    roundsOf: (name: string) => rounds.get(name) ?? 0,
    pathsOf: async () => Object.keys((await json('/openapi/v2')).paths as object),
    keysOf: async () => Object.keys((await json('/openapi/v3')).paths as object),
    /** Lets time pass until the servers are asked for the first time. */
    firstAsk: () => clock.advance(FIRST_ASK_MS),
  };
}

export function textOf({ chunks }: BytesResponse): string {
  return Buffer.concat(chunks).toString();
}

export function headerOf({ headers = [] }: ApiResponse, name: string): string | undefined {
  return headers.find(([one]) => one === name)?.[1];
}

/** By registration and part. */
export function memoryStore(): DocumentStore & { readonly now: Map<string, StoredDocument> } {
  const now = new Map<string, StoredDocument>();
  return {
    now,
    read: async () => [...now.values()],
    write: (one) => void now.set(`${one.registration} ${one.part}`, one),
    remove(registration) {
      for (const key of now.keys()) if (key.startsWith(`${registration} `)) now.delete(key);
    },
    flush: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A group version with one path and one definition, in both versions of OpenAPI. */
export function specificationV2(group: string, description = 'one', size = 0): object {
  const name = `io.${group}.Flunder`;
  const schema = { $ref: `#/definitions/${name}` };
  return {
    swagger: '2.0',
    info: { title: group, version: 'v1' },
    paths: {
      [`/apis/${group}/v1/flunders`]: {
        get: { operationId: `list ${group}`, responses: { 200: { description: 'OK', schema } } },
      },
      '/version/': { get: { responses: {} } },
      '/apis/foreign.example.com/v1/': { get: { responses: {} } },
    },
    definitions: {
      [name]: { type: 'object', description },
      ...Object.fromEntries(
        Array.from({ length: size }, (_, index) => [
          `io.${group}.Large${index}`,
          {
            type: 'object',
            description: 'x'.repeat(500),
            properties: { a: schema, b: { type: 'string' } },
          },
        ]),
      ),
    },
  };
}

export function specificationV3(group: string, description = 'one'): object {
  const schemas = { Flunder: { type: 'object', description } };
  return {
    openapi: '3.0.0',
    info: { title: group, version: 'v1' },
    paths: {},
    components: { schemas },
  };
}

/** A server with these answers by path, and 404 for everything else. */
export function serves(responses: Readonly<Record<string, Behaviour>>): Behaviour {
  return (request, response) => {
    const respond = responses[request.url ?? ''];
    if (respond !== undefined) return respond(request, response);
    response.writeHead(404).end('404 page not found');
  };
}

/** JSON with a tag that the server recognises, or without one. */
export function respondsJson(document: object, etag?: string): Behaviour {
  const body = JSON.stringify(document);
  return (request: IncomingMessage, response: ServerResponse) => {
    const headers = { 'content-type': 'application/json', ...(etag !== undefined && { etag }) };
    if (request.headers.accept?.includes('protobuf')) response.writeHead(406).end();
    else if (etag !== undefined && request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
    } else response.writeHead(200, headers).end(body);
  };
}

export function indexWith(group: string, hash: string): Behaviour {
  const key = `apis/${group}/v1`;
  const serverRelativeURL = `/openapi/v3/${key}?hash=${hash}`;
  return respondsJson({
    paths: { [key]: { serverRelativeURL }, version: { serverRelativeURL: '/x' } },
  });
}

export function collectingLog(problems: string[]) {
  return {
    verbosity: 0,
    info: (message: string, fields = {}) =>
      void problems.push(`${message} ${JSON.stringify(fields)}`),
    verbose() {},
    error: (problem: unknown, message: string, fields = {}) =>
      void problems.push(`${message} ${JSON.stringify(fields)}: ${problem}`),
    linesDropped: 0,
    movedMs: 0,
    flush: async () => {},
    close: async () => {},
  };
}
