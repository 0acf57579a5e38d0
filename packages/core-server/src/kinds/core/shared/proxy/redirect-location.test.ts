import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '@tributary/server';
import { redirectLocation } from './redirect-location.ts';

const path = '/api/v1/namespaces/default/pods/a:80/proxy/x/y';
const headers = { get: (name: string) => (name === 'host' ? 'api.example:6443' : undefined) };
const request = { path, headers } as unknown as ApiRequest;
const location = { scheme: 'http', address: '10.0.0.9', port: 80, target: '/x/y?z=1' } as const;
const proxy = 'https://api.example:6443/api/v1/namespaces/default/pods/a:80/proxy';

const rows = [
  { name: 'a place of the same server', value: '/login', wanted: `${proxy}/login` },
  { name: 'the same with its host', value: 'http://10.0.0.9:80/login', wanted: `${proxy}/login` },
  { name: 'a place that is told from here', value: `${proxy}/login`, wanted: `${proxy}/login` },
  { name: 'another server', value: 'https://other.example/', wanted: 'https://other.example/' },
  { name: 'from where it stands', value: 'next?a=b', wanted: 'next?a=b' },
  { name: 'with a query', value: '/login?next=/x', wanted: `${proxy}/login?next=/x` },
];
for (const { name, value, wanted } of rows) {
  test(`a redirect to ${name}`, () => {
    assert.equal(redirectLocation(value, { request, location }), wanted);
  });
}
