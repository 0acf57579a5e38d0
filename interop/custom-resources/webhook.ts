/** A conversion webhook for the judge: honest, slow, failing and lying, each under a path of its own. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, freePort, type TestScope, turns } from '../../test/harness/index.ts';
import type { Json, JsonObject } from '../differential/json.ts';

export interface Webhooks {
  /** Of the one that answers, without a path. */
  readonly url: string;
  /** A closed port. */
  readonly deadUrl: string;
  /** PEM of the CA of its certificate, and of another CA. */
  readonly ca: string;
  readonly otherCa: string;
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
}

interface StepResult {
  readonly code?: number;
  readonly body: Json;
}

/** Turns of the event loop. */
const SLOW_TURNS = 2_000;

/** `v1` has a size, `v2` calls it length. */
function convert(object: JsonObject, apiVersion: string): JsonObject {
  const { size, length, ...spec } = (object.spec ?? {}) as JsonObject;
  const value = size ?? length;
  const name = apiVersion.endsWith('/v1') ? 'size' : 'length';
  return {
    ...object,
    apiVersion,
    spec: { ...spec, ...(value === undefined ? {} : { [name]: value }) },
  };
}

function withMetadata(object: JsonObject, change: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object.metadata as JsonObject), ...change } };
}

function responded(review: Review, objects: readonly Json[], more: JsonObject = {}): StepResult {
  const { apiVersion, kind, request } = review;
  const response = {
    uid: request.uid,
    convertedObjects: objects,
    result: { status: 'Success' },
    ...more,
  };
  return { body: { apiVersion, kind, response } };
}

type Behaviour = (
  review: Review,
  converted: readonly JsonObject[],
) => StepResult | Promise<StepResult>;

export const behaviours: Readonly<Record<string, Behaviour>> = {
  healthy: (review, converted) => responded(review, converted),
  slow: async (review, converted) => {
    await turns(SLOW_TURNS);
    return responded(review, converted);
  },
  labels: (review, converted) =>
    responded(
      review,
      converted.map((one) =>
        withMetadata(one, {
          labels: { converted: 'yes' },
          finalizers: ['example.com/ignored'],
          generation: 77,
        }),
      ),
    ),
  failure: (review) =>
    responded(review, [], { result: { status: 'Failure', message: 'cannot do that' } }),
  red: (review, converted) => {
    const isRed = ({ spec }: JsonObject) => (spec as JsonObject | undefined)?.color === 'red';
    if (!converted.some(isRed)) return responded(review, converted);
    return responded(review, [], { result: { status: 'Failure', message: 'red is refused' } });
  },
  'failure-without-words': (review) => responded(review, [], { result: { status: 'Failure' } }),
  'no-result': (review, converted) => responded(review, converted, { result: {} }),
  'http-500': () => ({ code: 500, body: 'it broke' }),
  'http-404': () => ({ code: 404, body: 'nothing here' }),
  'http-status': () => ({
    code: 403,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'go away', code: 403 },
  }),
  'too-few': (review) => responded(review, []),
  'too-many': (review, converted) => responded(review, [...converted, ...converted]),
  renamed: (review, converted) =>
    responded(
      review,
      converted.map((one) => withMetadata(one, { name: 'other' })),
    ),
  moved: (review, converted) =>
    responded(
      review,
      converted.map((one) => withMetadata(one, { namespace: 'other' })),
    ),
  'another-uid': (review, converted) =>
    responded(
      review,
      converted.map((one) => withMetadata(one, { uid: 'other' })),
    ),
  'another-kind': (review, converted) =>
    responded(
      review,
      converted.map((one) => ({ ...one, kind: 'Other' })),
    ),
  'another-version': (review, converted) =>
    responded(
      review,
      converted.map((one) => ({ ...one, apiVersion: 'other.example.com/v9' })),
    ),
  'no-metadata': (review, converted) =>
    responded(
      review,
      converted.map(({ metadata: _, ...one }) => one),
    ),
  'bad-labels': (review, converted) =>
    responded(
      review,
      converted.map((one) => withMetadata(one, { labels: { a: 1 } })),
    ),
  'another-review': (review, converted) => ({
    body: { ...(responded(review, converted).body as JsonObject), kind: 'Other' },
  }),
  'another-answer': (review, converted) => responded(review, converted, { uid: 'other' }),
  'no-response': ({ apiVersion, kind }) => ({ body: { apiVersion, kind } }),
  'no-review': () => ({ body: { hello: 'world' } }),
  'no-json': () => ({ body: '<html>' }),
};

/** Started until the scope ends. */
export async function startWebhooks(scope: TestScope): Promise<Webhooks> {
  const authority = createAuthority('webhook-ca');
  const names = ['127.0.0.1', 'localhost'];
  const { cert, key } = authority.issue({ commonName: 'webhook', names, usage: 'server' });
  const server: Server = createServer({ cert, key }, (request, response) => {
    const name = (request.url ?? '').slice(1).split('?', 1)[0] ?? '';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Review;
      const { objects, desiredAPIVersion } = review.request;
      const converted = objects.map((one) => convert(one, desiredAPIVersion));
      const behave = behaviours[name];
      void Promise.resolve(behave?.(review, converted) ?? { code: 404, body: '' }).then(
        ({ code = 200, body }) => {
          response.writeHead(code, { 'content-type': 'application/json' });
          response.end(typeof body === 'string' ? body : JSON.stringify(body));
        },
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    deadUrl: `https://127.0.0.1:${await freePort()}`,
    ca: authority.cert,
    otherCa: createAuthority('other-ca').cert,
  };
}
