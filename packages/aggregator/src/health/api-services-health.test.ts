import assert from 'node:assert/strict';
import test from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { RequestHeaders } from '@tributary/server/request';
import { handRegistrations } from '../../test/availability-fixture.ts';
import { remoteRegistration } from '../../test/service-objects.ts';
import type { AvailabilityState } from '../availability/availability.ts';
import { apiServicesHealthRoute } from './api-services-health.ts';

const NOON = Date.UTC(2025, 0, 1, 12);
const up: AvailabilityState = {
  status: 'True',
  reason: 'Passed',
  message: 'all checks passed',
  sinceMs: NOON,
  lastSuccessMs: NOON + 60_000,
};
const down: AvailabilityState = {
  status: 'False',
  reason: 'FailedDiscoveryCheck',
  message: 'connection\nrefused',
  sinceMs: NOON,
  lastSuccessMs: NOON - 60_000,
};

function ask(
  states: Readonly<Record<string, AvailabilityState | undefined>>,
  { path = '/healthz/apiservices', query = '', accept = '', method = 'GET' } = {},
) {
  const registrations = handRegistrations();
  for (const group of Object.keys(states)) {
    registrations.put(
      remoteRegistration({ name: `v1.${group}`, uid: group, group, version: 'v1' }),
    );
  }
  const route = apiServicesHealthRoute({
    registrations,
    availability: { stateOf: (name) => states[name.slice('v1.'.length)] },
  });
  const headers = new RequestHeaders(accept === '' ? [] : ['Accept', accept]);
  const request = { method, path, headers, query: new URLSearchParams(query) };
  return route(request as unknown as ApiRequest) as ApiResponse | undefined;
}

function textOf(response: ApiResponse | undefined): { code: number; type: string; text: string } {
  assert.ok(response?.kind === 'bytes');
  const text = Buffer.concat(response.chunks).toString();
  return { code: response.code, type: response.contentType, text };
}

const failed = [
  '[+]v1.a ok',
  '[-]v1.b failed: FailedDiscoveryCheck: connection refused (since 2025-01-01T12:00:00Z, last success 2025-01-01T11:59:00Z)',
  'apiservices check failed',
  '',
].join('\n');

const cases = [
  { name: 'all available', states: { a: up }, code: 200, text: 'ok' },
  { name: 'none registered', states: {}, code: 200, text: 'ok' },
  {
    name: 'all available, in detail, by name',
    states: { b: up, a: up },
    request: { query: 'verbose' },
    code: 200,
    text: '[+]v1.a ok\n[+]v1.b ok\napiservices check passed\n',
  },
  { name: 'one is not: all are listed', states: { b: down, a: up }, code: 503, text: failed },
  {
    name: 'whoever takes everything gets text',
    states: { b: down, a: up },
    request: { accept: '*/*' },
    code: 503,
    text: failed,
  },
  {
    name: 'one was not asked yet',
    states: { a: undefined },
    code: 503,
    text: '[-]v1.a failed: NotChecked: its server was not asked yet\napiservices check failed\n',
  },
];
for (const { name, states, request, code, text } of cases) {
  test(name, () => {
    const got = textOf(ask(states, request));
    assert.deepEqual(got, { code, type: 'text/plain; charset=utf-8', text });
  });
}

test('JSON for whoever asks for it', () => {
  const got = textOf(
    ask({ b: down, a: up, c: undefined }, { accept: 'application/json, */*;q=0.1' }),
  );
  assert.deepEqual([got.code, got.type], [503, 'application/json']);
  assert.deepEqual(JSON.parse(got.text), {
    available: false,
    apiServices: [
      {
        name: 'v1.a',
        group: 'a',
        version: 'v1',
        available: true,
        status: 'True',
        reason: 'Passed',
        message: 'all checks passed',
        since: '2025-01-01T12:00:00Z',
        lastSuccess: '2025-01-01T12:01:00Z',
      },
      {
        name: 'v1.b',
        group: 'b',
        version: 'v1',
        available: false,
        status: 'False',
        reason: 'FailedDiscoveryCheck',
        message: 'connection\nrefused',
        since: '2025-01-01T12:00:00Z',
        lastSuccess: '2025-01-01T11:59:00Z',
      },
      {
        name: 'v1.c',
        group: 'c',
        version: 'v1',
        available: false,
        status: 'Unknown',
        reason: 'NotChecked',
        message: 'its server was not asked yet',
      },
    ],
  });
  assert.equal(textOf(ask({ a: up }, { accept: 'application/json' })).code, 200);
});

test('other paths are for others, other methods for nobody', () => {
  assert.equal(ask({}, { path: '/healthz' }), undefined);
  assert.equal(ask({}, { path: '/healthz/apiservices/x' }), undefined);
  assert.throws(
    () => ask({}, { method: 'POST' }),
    (error) => error instanceof StatusError && error.code === 405,
  );
});
