/** A conversion webhook that is a service of the cluster: it is found by its endpoints, and trusted by its name. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient, loadConfig, type ResourceType } from '@tributary/client';
import {
  createAuthority,
  eventuallySucceeds,
  logShows,
  runSource,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';

const root = join(import.meta.dirname, '..', '..');
const GROUP = 'hooked.example.com';
const core = { group: '', version: 'v1', namespaced: true } as const;
const typeOf = (version: string): ResourceType => ({
  group: GROUP,
  version,
  plural: 'things',
  namespaced: true,
});

interface Review {
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly object[];
  };
}

/** Converts by renaming the version, and counts. */
async function startWebhook(scope: TestScope, name: string) {
  const authority = createAuthority('webhook-ca');
  const pair = authority.issue({ commonName: 'webhook', names: [name], usage: 'server' });
  let calls = 0;
  const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls += 1;
      const { request: asked } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Review;
      const convertedObjects = asked.objects.map((one) => ({
        ...one,
        apiVersion: asked.desiredAPIVersion,
        spec: { from: request.url },
      }));
      const reply = { uid: asked.uid, result: { status: 'Success' }, convertedObjects };
      const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };
      response.end(JSON.stringify({ ...type, response: reply }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, ca: authority.cert, calls: () => calls };
}

test('a webhook behind a service converts', async (t) => {
  const directory = await temporaryDirectory(t, 'up-');
  await startProcess(t, {
    name: 'tributary up',
    ...runSource(join(root, 'packages/cli/src/main.ts'), [
      'up',
      '--sample=none',
      '--allow-loopback-endpoints',
      '--secure-port=0',
      `--data-dir=${directory}`,
    ]),
    ready: logShows(/is ready at/),
  });
  const kubeconfig = join(directory, 'admin.kubeconfig');
  const client = createClient(await loadConfig({ kubeconfig }));
  t.after(() => client.close());
  const webhook = await startWebhook(t, 'hook.default.svc');
  const create = (type: ResourceType, object: object) => {
    const all = client.resource(type);
    return (type.namespaced ? all.in('default') : all).create(object as never);
  };
  await create(
    { ...core, plural: 'services' },
    {
      metadata: { name: 'hook' },
      spec: { ports: [{ name: 'https', port: 8443 }] },
    },
  );
  await create(
    { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', namespaced: true },
    {
      metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
      addressType: 'IPv4',
      ports: [{ name: 'https', port: webhook.port }],
      endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready: true } }],
    },
  );
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  await create(
    {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      namespaced: false,
    },
    {
      metadata: { name: `things.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          { name: 'v1', served: true, storage: true, schema },
          { name: 'v2', served: true, storage: false, schema },
        ],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: {
              service: { namespace: 'default', name: 'hook', port: 8443, path: '/convert' },
              caBundle: Buffer.from(webhook.ca).toString('base64'),
            },
          },
        },
      },
    },
  );
  const object = { apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'a' } };
  await eventuallySucceeds(() => create(typeOf('v1'), object));
  assert.equal(webhook.calls(), 0, 'what has the stored version is not converted');
  const inV2 = await client.resource(typeOf('v2')).in('default').get('a');
  assert.deepEqual((inV2 as unknown as { spec: object }).spec, { from: '/convert?timeout=30s' });
  assert.equal(webhook.calls(), 1);
});
