import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type HttpVersion, take } from '../../../test/harness/index.ts';
import { type Fixture, forecast, forecasts, startFixture } from './server-fixture.ts';

interface Body {
  kind: string;
  message: string;
  reason: string;
  metadata: { name: string; uid: string; resourceVersion: string; generation: number };
  spec: { city: string };
  items: Body[];
  details: object;
}

interface Event {
  type: string;
  object: Body;
}

for (const http of ['1.1', '2'] as const satisfies readonly HttpVersion[]) {
  describe(`over HTTP/${http}`, () => {
    let fixture: Fixture;
    before(async () => {
      fixture = await startFixture();
    });
    after(() => fixture[Symbol.asyncDispose]());

    async function call(method: string, path: string, body?: unknown) {
      const response = await fixture.request(path, {
        method,
        http,
        ...(body !== undefined && { body }),
      });
      assert.equal(response.http, http);
      return { ...response, body: response.json() as Body };
    }

    test('an object lives from create to delete', async () => {
      const created = await call('POST', forecasts, forecast('life'));
      assert.equal(created.status, 201);
      assert.equal(created.body.metadata.generation, 1);
      const path = `${forecasts}/life`;
      const read = await call('GET', path);
      assert.deepEqual(read.body, created.body);

      const changed = { ...created.body, spec: { city: 'Bruges' } };
      const updated = await call('PUT', path, changed);
      assert.equal(updated.status, 200);
      assert.equal(updated.body.metadata.generation, 2);
      assert.ok(
        Number(updated.body.metadata.resourceVersion) >
          Number(created.body.metadata.resourceVersion),
      );

      const again = await call('PUT', path, updated.body);
      assert.equal(again.body.metadata.resourceVersion, updated.body.metadata.resourceVersion);

      const stale = await call('PUT', path, { ...changed, spec: { city: 'Mons' } });
      assert.equal(stale.status, 409);
      assert.equal(stale.body.reason, 'Conflict');

      const deleted = await call('DELETE', path);
      assert.equal(deleted.status, 200);
      assert.deepEqual(deleted.body.details, {
        name: 'life',
        group: 'weather.example.com',
        kind: 'forecasts',
        uid: created.body.metadata.uid,
      });
      assert.equal((await call('GET', path)).status, 404);
    });

    test('a watch tells every change in order, each once', async () => {
      const path = '/apis/weather.example.com/v1/namespaces/watched/forecasts';
      await call('POST', path, forecast('before'));
      await using stream = await fixture.stream(`${path}?watch=1`, { http });
      const events = stream.lines[Symbol.asyncIterator]() as AsyncIterator<Event>;
      const { body: created } = await call('POST', path, forecast('one'));
      await call('PUT', `${path}/one`, { ...created, spec: { city: 'Liège' } });
      await call('DELETE', `${path}/one`);
      const seen = await take(events, 4);
      assert.deepEqual(
        seen.map(({ type, object }) => [type, object.metadata.name, object.spec.city]),
        [
          ['ADDED', 'before', 'Ghent'],
          ['ADDED', 'one', 'Ghent'],
          ['MODIFIED', 'one', 'Liège'],
          ['DELETED', 'one', 'Liège'],
        ],
      );
      const revisions = seen.map(({ object }) => Number(object.metadata.resourceVersion));
      assert.deepEqual(
        revisions,
        revisions.toSorted((a, b) => a - b),
      );
    });

    test('a list of many objects arrives whole', async () => {
      const path = '/apis/weather.example.com/v1/namespaces/many/forecasts';
      const filler = { metadata: { annotations: { filler: 'x'.repeat(5000) } } };
      const names = Array.from({ length: 60 }, (_, index) => `f-${String(index).padStart(3, '0')}`);
      for (const name of names) {
        const body = forecast(name, { metadata: { ...filler.metadata, name } });
        assert.equal((await call('POST', path, body)).status, 201);
      }
      const { body } = await call('GET', path);
      assert.equal(body.kind, 'ForecastList');
      assert.deepEqual(
        body.items.map(({ metadata }) => metadata.name),
        names,
      );
    });

    test('bad input gets its error and changes nothing', async () => {
      const cases = [
        { name: 'no JSON', body: '{', status: 400 },
        { name: 'no name', body: { spec: { city: 'x' } }, status: 422 },
        { name: 'a bad name', body: forecast('No_Name'), status: 422 },
        { name: 'a wrong type', body: forecast('a', { spec: { city: 1 } }), status: 422 },
        { name: 'a missing field', body: forecast('a', { spec: {} }), status: 422 },
        { name: 'another kind', body: forecast('a', { kind: 'Storm' }), status: 400 },
        { name: 'another version', body: forecast('a', { apiVersion: 'x/v1' }), status: 400 },
        {
          name: 'another namespace',
          body: { metadata: { name: 'a', namespace: 'us' }, spec: { city: 'x' } },
          status: 400,
        },
        { name: 'too large', body: 'x'.repeat(3 * 1024 * 1024 + 1), status: 413 },
      ];
      const path = '/apis/weather.example.com/v1/namespaces/bad/forecasts';
      for (const { name, body, status } of cases) {
        const response = await call('POST', path, body);
        assert.equal(response.status, status, name);
        assert.equal(response.body.kind, 'Status', name);
      }
      assert.deepEqual((await call('GET', path)).body.items, []);
    });

    test('hundreds of header lines fit', async () => {
      const lines = Array.from({ length: 600 }, (_, index) => `group-${index}-${'g'.repeat(200)}`);
      const response = await fixture.request('/healthz', {
        http,
        headers: { 'x-remote-group': lines },
      });
      assert.equal(response.status, 200);
    });
  });
}

test('who is unknown may look at health only, and a foreign certificate is refused', async () => {
  await using fixture = await startFixture();
  const { server, pki } = fixture;
  const nobody = { ca: pki.ca.cert, cert: '', key: '' };
  const anonymous = await fixture.request(forecasts, nobody);
  assert.equal(anonymous.status, 403);
  assert.equal((await fixture.request('/healthz', nobody)).status, 200);

  const user = await pki.client({ commonName: 'eva', organizations: ['a', 'b'] });
  const forbidden = await fixture.request(forecasts, { ca: pki.ca.cert, ...user });
  assert.equal(forbidden.status, 403);
  assert.match(
    (forbidden.json() as Body).message,
    /User "eva" cannot list resource "forecasts" in API group "weather.example.com" in the namespace "eu"/,
  );

  const foreign = await fixture.request(forecasts, { ca: pki.ca.cert, ...pki.frontProxyClient });
  assert.equal(foreign.status, 401);
  const expired = await pki.client({
    commonName: 'eva',
    organizations: ['system:masters'],
    notBefore: new Date(Date.now() - 200_000),
    notAfter: new Date(Date.now() - 100_000),
  });
  const late = await fixture.request(forecasts, { ca: pki.ca.cert, ...expired });
  assert.equal(late.status, 401);
  const serverCertificate = await fixture.request(forecasts, { ca: pki.ca.cert, ...pki.server });
  assert.equal(serverCertificate.status, 401, server.url);
});

test('metrics tell what the cache holds, to administrators', async () => {
  await using fixture = await startFixture();
  await fixture.request(forecasts, { method: 'POST', body: forecast('a') });
  await fixture.request(forecasts);
  const metrics = await fixture.request('/metrics');
  assert.match(metrics.body, /^tributary_watch_cache_objects\{prefix="[^"]+forecasts\/"\} 1$/m);
  assert.match(metrics.body, /^tributary_watch_cache_object_bytes [1-9]/m);
  assert.match(metrics.body, /^process_resident_memory_bytes [1-9]/m);
  const nobody = await fixture.request('/metrics', { cert: '', key: '' });
  assert.equal(nobody.status, 403);
});

test('closing ends watches at once and lets nobody wait', async () => {
  // A test that waited for idle connections or for watches would wait for an hour.
  const fixture = await startFixture({ shutdown: { drainMs: 3_600_000 } });
  const stream = await fixture.stream(`${forecasts}?watch=1`);
  await fixture[Symbol.asyncDispose]();
  const rest: unknown[] = [];
  for await (const line of stream.lines) rest.push(line);
  assert.deepEqual(rest, []);
});
