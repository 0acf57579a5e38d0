import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import type { CallWebhook } from './call-webhook.ts';
import { webhookConverter } from './webhook-converter.ts';

const { signal } = new AbortController();
const between = { from: 'g/v1', to: 'g/v2' };
const objectOf = (name: string, apiVersion = 'g/v1'): KubeObject => ({
  apiVersion,
  kind: 'Thing',
  metadata: { name },
});

interface ReviewRequest {
  readonly request: { readonly uid: string; readonly objects: readonly KubeObject[] };
}

const convertAll: CallWebhook = async (_config, body) => {
  const { uid, objects } = (body as ReviewRequest).request;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid,
      result: { status: 'Success' },
      convertedObjects: objects.map((one) => ({ ...one, apiVersion: 'g/v2' })),
    },
  };
};

const converter = (call: CallWebhook, versions = ['v1']) =>
  webhookConverter(
    {
      spec: {
        conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: versions } },
      },
    } as CustomResourceDefinition,
    call,
  );

test('objects with the desired version are not sent and keep their position', async () => {
  const sent: string[][] = [];
  const call: CallWebhook = (config, body, given) => {
    sent.push((body as ReviewRequest).request.objects.map(({ metadata }) => metadata.name ?? ''));
    return convertAll(config, body, given);
  };
  const objects = [objectOf('a'), objectOf('b', 'g/v2'), objectOf('c')];
  const converted = await converter(call).convert(objects, between, signal);
  assert.deepEqual(sent, [['a', 'c']]);
  assert.deepEqual(
    converted.map(({ apiVersion, metadata }) => `${apiVersion} ${metadata.name}`),
    ['g/v2 a', 'g/v2 b', 'g/v2 c'],
  );
});

test('no objects cause no call', async () => {
  const call: CallWebhook = () => assert.fail('unexpected call');
  const objects = [objectOf('a', 'g/v2')];
  assert.equal(await converter(call).convert(objects, between, signal), objects);
});

test('many objects are converted in several calls, in order', async () => {
  const counts: number[] = [];
  const call: CallWebhook = (config, body, given) => {
    counts.push((body as ReviewRequest).request.objects.length);
    return convertAll(config, body, given);
  };
  const objects = Array.from({ length: 450 }, (_, index) => objectOf(`o${index}`));
  const converted = await converter(call).convert(objects, between, signal);
  assert.deepEqual(counts, [200, 200, 50]);
  assert.deepEqual(
    converted.map(({ metadata }) => metadata.name),
    objects.map(({ metadata }) => metadata.name),
  );
});

const failures: readonly [string, CallWebhook, string[], string][] = [
  [
    'a call that fails',
    () => Promise.reject(new Error('refused')),
    ['v1'],
    'conversion webhook for g/v1, Kind=Thing failed: refused',
  ],
  [
    'an invalid response',
    async () => ({}),
    ['v1'],
    'conversion webhook for g/v1, Kind=Thing failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
  ],
  ['no common review version', convertAll, ['v7'], 'no supported conversion review versions'],
];
for (const [name, call, versions, message] of failures) {
  test(`${name} is a Status error`, async () => {
    await assert.rejects(
      converter(call, versions).convert([objectOf('a')], between, signal),
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.deepEqual([error.code, error.message], [500, message]);
        return true;
      },
    );
  });
}
