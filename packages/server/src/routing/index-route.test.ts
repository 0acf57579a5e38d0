import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything } from '../../test/everything-api.ts';
import { requestFor } from '../../test/request-fixture.ts';
import { indexRoute } from './index-route.ts';

const route = indexRoute([everything], ['/healthz/ping', '/metrics']);

for (const path of ['/', '/index.html']) {
  test(`${path} lists the served paths, in order and once`, async () => {
    const response = await route(requestFor(path));
    assert.equal(response?.kind, 'bytes');
    assert.deepEqual(JSON.parse(Buffer.concat(response.chunks).toString()), {
      paths: [
        '/apis',
        '/apis/everything.example.com',
        '/apis/everything.example.com/v1',
        '/apis/everything.example.com/v1alpha1',
        '/apis/everything.example.com/v1beta1',
        '/healthz',
        '/healthz/ping',
        '/livez',
        '/metrics',
        '/openapi/v2',
        '/openapi/v3',
        '/openapi/v3/',
        '/readyz',
        '/version',
      ],
    });
  });
}

for (const path of ['/index', '//', '/apis']) {
  test(`${path} is left to other routes`, async () => {
    assert.equal(await route(requestFor(path)), undefined);
  });
}

test('the core group is below /api', async () => {
  const response = await indexRoute([{ ...everything, group: '', versions: ['v1'] }])(
    requestFor('/'),
  );
  assert.equal(response?.kind, 'bytes');
  const { paths } = JSON.parse(Buffer.concat(response.chunks).toString()) as { paths: string[] };
  assert.deepEqual(paths.slice(0, 3), ['/api', '/api/v1', '/apis']);
});
