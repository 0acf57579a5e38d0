import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import { parseRequestInfo, type RequestInfo } from './request-info.ts';

const cases: { name: string; method?: string; url: string; want: Partial<RequestInfo> }[] = [
  { name: 'the root', url: '/', want: { isResourceRequest: false, verb: 'get' } },
  { name: 'discovery of a group', url: '/apis/g.io', want: { isResourceRequest: false } },
  { name: 'discovery of a version', url: '/apis/g.io/v1', want: { isResourceRequest: false } },
  { name: 'discovery of the core version', url: '/api/v1', want: { isResourceRequest: false } },
  {
    name: 'another prefix',
    method: 'POST',
    url: '/metrics/a/b/c',
    want: { isResourceRequest: false, verb: 'post' },
  },
  {
    name: 'a named get',
    url: '/apis/g.io/v1/namespaces/eu/things/a',
    want: {
      verb: 'get',
      group: 'g.io',
      version: 'v1',
      namespace: 'eu',
      resource: 'things',
      name: 'a',
    },
  },
  {
    name: 'the core group',
    url: '/api/v1/namespaces/eu/pods/a',
    want: { verb: 'get', group: '', version: 'v1', namespace: 'eu', resource: 'pods', name: 'a' },
  },
  {
    name: 'HEAD counts as get',
    method: 'HEAD',
    url: '/apis/g.io/v1/things/a',
    want: { verb: 'get' },
  },
  { name: 'a list', url: '/apis/g.io/v1/things', want: { verb: 'list', resource: 'things' } },
  {
    name: 'a watch is a list with a query',
    url: '/api/v1/pods?watch=true',
    want: { verb: 'watch' },
  },
  { name: 'an empty watch is one', url: '/api/v1/pods?watch=', want: { verb: 'watch' } },
  { name: 'watch=0 is none', url: '/api/v1/pods?watch=0', want: { verb: 'list' } },
  { name: 'watch=FALSE is none', url: '/api/v1/pods?watch=FALSE', want: { verb: 'list' } },
  {
    name: 'the old watch path',
    url: '/api/v1/watch/pods',
    want: { verb: 'watch', resource: 'pods' },
  },
  {
    name: 'a create',
    method: 'POST',
    url: '/apis/g.io/v1/namespaces/eu/things',
    want: { verb: 'create', name: '' },
  },
  { name: 'an update', method: 'PUT', url: '/apis/g.io/v1/things/a', want: { verb: 'update' } },
  { name: 'a patch', method: 'PATCH', url: '/apis/g.io/v1/things/a', want: { verb: 'patch' } },
  { name: 'a delete', method: 'DELETE', url: '/apis/g.io/v1/things/a', want: { verb: 'delete' } },
  {
    name: 'a delete without a name',
    method: 'DELETE',
    url: '/apis/g.io/v1/things',
    want: { verb: 'deletecollection' },
  },
  { name: 'an unknown method', method: 'BREW', url: '/apis/g.io/v1/things', want: { verb: '' } },
  {
    name: 'a subresource',
    method: 'PUT',
    url: '/apis/g.io/v1/namespaces/eu/things/a/status',
    want: { subresource: 'status', parts: ['things', 'a', 'status'] },
  },
  {
    name: 'a namespace itself',
    url: '/api/v1/namespaces/eu',
    want: { resource: 'namespaces', name: 'eu', namespace: 'eu' },
  },
  {
    name: 'the status of a namespace',
    url: '/api/v1/namespaces/eu/status',
    want: { resource: 'namespaces', name: 'eu', subresource: 'status' },
  },
  {
    name: 'all namespaces',
    url: '/api/v1/namespaces',
    want: { resource: 'namespaces', verb: 'list' },
  },
  {
    name: 'a selector on one name names the object',
    url: '/api/v1/pods?fieldSelector=spec.x%3D1,metadata.name%3Da',
    want: { verb: 'list', name: 'a', fieldSelector: 'spec.x=1,metadata.name=a' },
  },
  {
    name: 'a name that is no path segment names nothing',
    url: '/api/v1/pods?fieldSelector=metadata.name%3Da%2Fb',
    want: { name: '' },
  },
  { name: 'an encoded name', url: '/apis/g.io/v1/things/a%3Ab', want: { name: 'a:b' } },
  {
    name: 'an encoded slash separates',
    url: '/apis/g.io/v1/things/a%2Fb',
    want: { subresource: 'b' },
  },
  { name: 'a broken encoding stays', url: '/apis/g.io/v1/things/a%zz', want: { name: 'a%zz' } },
  { name: 'a trailing slash', url: '/apis/g.io/v1/things/', want: { verb: 'list', name: '' } },
];

for (const { name, method = 'GET', url, want } of cases) {
  test(name, () => {
    const { pathname, searchParams } = new URL(`https://host${url}`);
    const info = parseRequestInfo(method, pathname, searchParams);
    for (const [field, value] of Object.entries(want)) {
      assert.deepEqual(info[field as keyof RequestInfo], value, field);
    }
  });
}

for (const method of ['constructor', '__proto__', 'toString', 'FOO']) {
  test(`the method ${method} has no verb for a resource`, () => {
    assert.equal(parseRequestInfo(method, '/apis/g.io/v1/things/a').verb, '');
  });
}

test('a watch path without a resource is an error', () => {
  assert.match(parseRequestInfo('GET', '/api/v1/watch').failure ?? '', /unable to determine kind/);
});

test('a path of slashes is parsed in linear time', () => {
  const path = `/${'/'.repeat(1_000_000)}x${'/'.repeat(1_000_000)}`;
  const cpuMs = cpuMsOf(() => void parseRequestInfo('GET', path));
  // About 15 ms; once for each slash takes more than an hour.
  assert.ok(cpuMs < 5000, `${cpuMs} ms`);
});
