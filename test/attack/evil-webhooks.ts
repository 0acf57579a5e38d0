/** Responses of a webhook: conversion, authentication and authorization reviews have the same faults. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export const webhookBehaviours = [
  'fails',
  'not-json',
  'empty',
  'null',
  'array',
  'deep',
  'large',
  'stalls',
  'slow-bytes',
  'resets',
  'redirects',
  'wrong-kind',
  'wrong-uid',
  'no-response',
  'proto',
  'renames',
  'changes-kind',
  'fewer-objects',
  'more-objects',
  'type-and-meta',
  'big-numbers',
  'echo',
] as const;
export type WebhookBehaviour = (typeof webhookBehaviours)[number];

interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: { uid?: string; desiredAPIVersion?: string; objects?: readonly Json[] };
  readonly spec?: Json;
}
type Json = Readonly<Record<string, unknown>>;

const DEPTH = 20_000;
const LARGE_BYTES = 32 * 1024 * 1024;
const SLOW_BYTES_MS = 100;

/** `review` is what was asked. */
export function respondToReview(
  behaviour: WebhookBehaviour,
  review: Review,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): unknown {
  const json = (body: unknown): unknown => {
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(body));
  };
  const { apiVersion, kind, request: conversion } = review;
  const objects = conversion?.objects ?? [];
  const converted = (change: (object: Json) => Json, changed = objects) => ({
    apiVersion,
    kind,
    response: {
      uid: conversion?.uid,
      result: { status: 'Success' },
      convertedObjects: changed.map((object) =>
        change({ ...object, apiVersion: conversion?.desiredAPIVersion }),
      ),
    },
    status: { authenticated: true, allowed: false, user: { username: 'from-webhook' } },
  });
  switch (behaviour) {
    case 'fails':
      response.statusCode = 500;
      return response.end('no');
    case 'not-json':
      return response.end('{"kind":');
    case 'empty':
      return response.end();
    case 'null':
      return json(null);
    case 'array':
      return json([review]);
    case 'deep':
      return response.end(`${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`);
    case 'large':
      return json({ ...converted((object) => object), padding: 'x'.repeat(LARGE_BYTES) });
    case 'stalls':
      return undefined;
    case 'slow-bytes': {
      const timer = setInterval(() => response.write(' '), SLOW_BYTES_MS);
      return request.on('close', () => clearInterval(timer));
    }
    case 'resets':
      return request.socket.resetAndDestroy();
    case 'redirects':
      response.writeHead(302, { location: 'https://127.0.0.1:1/' });
      return response.end();
    case 'wrong-kind':
      return json({ ...converted((object) => object), kind: 'Other', apiVersion: 'v9' });
    case 'wrong-uid':
      return json({ ...converted((object) => object), response: { uid: 'x', result: {} } });
    case 'no-response':
      return json({ apiVersion, kind });
    case 'proto':
      return response.end(
        `{"apiVersion":"${apiVersion}","kind":"${kind}","__proto__":{"polluted":true},"status":{"authenticated":true,"user":{"username":"__proto__","groups":["constructor"],"extra":{"__proto__":["x"]}}}}`,
      );
    case 'renames':
      return json(
        converted((object) => ({
          ...object,
          metadata: { name: 'other', namespace: 'kube-system' },
        })),
      );
    case 'changes-kind':
      return json(converted((object) => ({ ...object, kind: 'Secret', apiVersion: 'v1' })));
    case 'fewer-objects':
      return json(converted((object) => object, []));
    case 'more-objects':
      return json(converted((object) => object, [...objects, ...objects]));
    case 'type-and-meta':
      return json(converted((object) => ({ ...object, metadata: [] })));
    case 'big-numbers':
      return response.end(
        JSON.stringify(converted((object) => ({ ...object, spec: { size: 0 } }))).replace(
          '"size":0',
          '"size":1e400',
        ),
      );
    case 'echo':
      return json(converted((object) => object));
  }
}
