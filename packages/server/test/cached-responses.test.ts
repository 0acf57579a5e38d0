/** A target that is read again is answered with what was answered before, only as long as that is still the answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpsRequest } from '../../../test/harness/index.ts';
import { startTestServer } from '../src/testing/index.ts';
import { everything } from './everything-api.ts';

const WIDGETS = '/apis/everything.example.com/v1/namespaces/default/widgets';

test('an object that is read again and again', async (t) => {
  const server = await startTestServer(everything);
  t.after(() => server.close());
  const { url, ca, token } = await server.listen();
  const ask = (path: string, headers: Record<string, string> = {}, more: object = {}) =>
    httpsRequest(`${url}${path}`, {
      ca,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...more,
    });
  const json = { 'content-type': 'application/json' };
  const read = async (headers?: Record<string, string>) => {
    const { status, body } = await ask(`${WIDGETS}/one`, headers);
    assert.equal(status, 200, body);
    return body;
  };
  const created = await ask(WIDGETS, json, {
    method: 'POST',
    body: JSON.stringify({ metadata: { name: 'one' }, spec: { size: 'small' } }),
  });
  assert.equal(created.status, 201, created.body);

  const first = await read();
  for (let time = 0; time < 3; time += 1) assert.equal(await read(), first);

  await t.test('others want it otherwise, and get it so, every time', async () => {
    for (let time = 0; time < 2; time += 1) {
      assert.match(await read({ accept: 'application/yaml' }), /^ {2}name: one$/m);
      assert.match(await read({ 'user-agent': 'curl/8' }), /^ {4}"name": "one"/m);
      const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      assert.equal(JSON.parse(await read({ accept: table })).kind, 'Table');
      assert.match((await ask(`${WIDGETS}/one?pretty=1`)).body, /^ {4}"name": "one"/m);
      assert.equal((await ask(`${WIDGETS}/one`, { accept: 'text/html' })).status, 406);
      assert.equal((await ask(`${WIDGETS}/one`, { authorization: 'Bearer wrong' })).status, 401);
      assert.equal(await read(), first);
    }
  });

  await t.test('every change is seen at once', async () => {
    for (let size = 0; size < 5; size += 1) {
      const patched = await ask(
        `${WIDGETS}/one`,
        { 'content-type': 'application/merge-patch+json' },
        {
          method: 'PATCH',
          body: JSON.stringify({ metadata: { labels: { size: `size-${size}` } } }),
        },
      );
      assert.equal(patched.status, 200, patched.body);
      for (let time = 0; time < 2; time += 1)
        assert.match(await read(), new RegExp(`size-${size}`));
    }
  });

  await t.test('what is gone is gone, and what comes back is another', async () => {
    const before = JSON.parse(await read()).metadata.uid;
    assert.equal((await ask(`${WIDGETS}/one`, {}, { method: 'DELETE' })).status, 200);
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await ask(`${WIDGETS}/one`)).status, 404);
    }
    const again = await ask(WIDGETS, json, {
      method: 'POST',
      body: JSON.stringify({ metadata: { name: 'one' }, spec: { size: 'small' } }),
    });
    assert.equal(again.status, 201, again.body);
    assert.notEqual(JSON.parse(await read()).metadata.uid, before);
  });
  assert.deepEqual(server.bugs, []);
});
