/** The limits that an APIService sets, and the errors of requests that wait for a frozen server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '@tributary/apimachinery';
import { type BackendLimits, defaultBackendLimits } from '@tributary/proxy';
import { eventually } from '../../../test/harness/index.ts';
import type { AvailabilityState } from '../src/availability/availability.ts';
import { flunders, registration, startProxy } from './proxy-fixture.ts';

function limited(limits: Partial<BackendLimits>) {
  const { remote, ...rest } = registration();
  assert.ok(remote);
  return { ...rest, remote: { ...remote, limits: { ...defaultBackendLimits, ...limits } } };
}

const dead: AvailabilityState = {
  ...{ status: 'False', reason: 'FailedDiscoveryCheck', message: 'no response in time' },
  ...{ sinceMs: 0, lastSuccessMs: undefined },
};

for (const http of ['1.1', '2'] as const) {
  test(`over HTTP/${http} reads that wait fail with the reason when their server is found dead, writes wait on`, async () => {
    let state: AvailabilityState | undefined;
    const listeners = new Set<(name: string) => void>();
    const asked: string[] = [];
    const release = Promise.withResolvers<void>();
    await using fixture = await startProxy({
      availability: {
        refusal: () => state,
        onChange(onData) {
          listeners.add(onData);
          return () => void listeners.delete(onData);
        },
      },
      behaviour: ({ method = '' }, response) => {
        asked.push(method);
        void release.promise.then(() => response.end('late'));
      },
    });
    const read = fixture.request(flunders, { http });
    const watch = fixture.request(`${flunders}?watch=true`, { http });
    const write = fixture.request(flunders, { http, method: 'POST', body: {} });
    await eventually('all three wait', () => asked.length === 3);
    for (const onData of listeners) onData('v1.other.example.com');
    state = dead;
    for (const onData of listeners) onData('v1alpha1.wardle.example.com');
    for (const response of await Promise.all([read, watch])) {
      assert.equal(response.status, 503);
      assert.equal(
        (response.json() as Status).message,
        'wardle.example.com/v1alpha1 is unavailable: FailedDiscoveryCheck: no response in time',
      );
    }
    release.resolve();
    assert.equal((await write).body, 'late');
    assert.deepEqual(fixture.bugs, []);
  });
}

test('the request timeout of an APIService is a 504 with the reason', async () => {
  await using fixture = await startProxy({
    registrations: [limited({ requestTimeoutMs: 50 })],
    behaviour: () => {}, // never answers
  });
  for (const method of ['GET', 'POST']) {
    const response = await fixture.request(flunders, { method });
    assert.equal(response.status, 504);
    const { reason, message } = response.json() as Status;
    assert.equal(reason, 'Timeout');
    assert.match(message ?? '', /no response from wardle.example.com\/v1alpha1 within the 0.05s/);
  }
});

test('the request timeout of an APIService may be longer than the server gives others', async () => {
  let isAsked = false;
  const release = Promise.withResolvers<void>();
  await using fixture = await startProxy({
    registrations: [
      limited({ requestTimeoutMs: 3_600_000 }),
      {
        ...registration(),
        name: 'v1.other.example.com',
        group: 'other.example.com',
        version: 'v1',
      },
    ],
    behaviour: ({ url }, response) => {
      if (url !== flunders) return;
      isAsked = true;
      void release.promise.then(() => response.end('late'));
    },
    config: { requestTimeoutMs: 100 },
  });
  const slow = fixture.request(flunders);
  await eventually('it is asked', () => isAsked);
  const other = await fixture.request('/apis/other.example.com/v1/things');
  assert.equal(other.status, 504);
  const own = await fixture.request(`${flunders}?timeout=50ms`);
  assert.equal(own.status, 504);
  release.resolve();
  assert.equal((await slow).body, 'late');
});
