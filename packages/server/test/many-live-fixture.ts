/** A server with resources that come and go by the dozen, each with a schema as operators bring it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { httpsRequest } from '../../../test/harness/index.ts';
import type { JsonSchema } from '../src/schema/json-schema.ts';
import { startTestServer, type TestServer } from '../src/testing/index.ts';
import { everything } from './everything-api.ts';
import { gadget } from './live-fixture.ts';

export const PER_GROUP = 10;
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** About 20 KB of schema, as operators bring it. */
function section(number: number): Record<string, JsonSchema> {
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `section${at}`,
      {
        type: 'object',
        description: `What ${number} knows of ${at}.`,
        properties: Object.fromEntries(
          Array.from({ length: 12 }, (_, field) => [
            `field${field}`,
            { type: 'string', maxLength: 100 + field, description: `The field ${field} of it.` },
          ]),
        ),
      },
    ]),
  );
}

export function groupOf(number: number): string {
  return `group-${Math.floor(number / PER_GROUP)}.live.example.com`;
}

export function serveOne(server: TestServer, number: number, group = groupOf(number)): void {
  server.live.serve(
    `thing-${number}`,
    gadget({
      group,
      kind: `Thing${number}`,
      plural: `things${number}`,
      properties: section(number),
    }),
  );
}

export interface Started {
  readonly server: TestServer;
  /** The body is not parsed, which would block the event loop of the measured server in the same process. */
  ask(path: string): Promise<string>;
}

/** Serves one resource more, beside those that a test counts from 0 to `count`. */
export async function start(t: TestContext, count: number): Promise<Started> {
  const server = await startTestServer(everything);
  t.after(() => server.close());
  const { url, ca, token } = await server.listen();
  const ask = async (path: string): Promise<string> => {
    // A document that is not modified is made all the same.
    const document = path.startsWith('/openapi/') && { 'if-none-match': '*' };
    const headers = { authorization: `Bearer ${token}`, accept: AGGREGATED, ...document };
    const { status, body } = await httpsRequest(`${url}${path}`, {
      ca,
      headers,
      timeoutMs: 60_000,
    });
    assert.ok(status === 200 || status === 304, `${path}: ${status}`);
    return body;
  };
  // Work done once per process is not measured.
  serveOne(server, count);
  for (const path of ['/apis', '/openapi/v3', '/openapi/v2']) await ask(path);
  return { server, ask };
}
