import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFor } from '../../test/request-fixture.ts';
import { estimateSeats } from './work-estimate.ts';

const PODS = '/api/v1/namespaces/eu/pods';
const loads = {
  pods: { objects: 1_000, bytes: 600_000, watchers: 35 },
  secrets: { objects: 100_000, bytes: 500_000_000, watchers: 5 },
  configmaps: { objects: 0, bytes: 0, watchers: 10_000 },
} as const;

const rows: readonly {
  name: string;
  target: string;
  method?: string;
  body?: number;
  seats: number;
}[] = [
  { name: 'a get', target: `${PODS}/a`, seats: 1 },
  { name: 'a list of 600 KB', target: PODS, seats: 6 },
  { name: 'a list of a part', target: `${PODS}?limit=100`, seats: 1 },
  { name: 'a list of a larger part', target: `${PODS}?limit=500`, seats: 3 },
  { name: 'a list of more than there is', target: `${PODS}?limit=5000`, seats: 6 },
  { name: 'a list of half a gigabyte', target: '/api/v1/secrets', seats: 10 },
  { name: 'a list of nothing', target: '/api/v1/configmaps', seats: 1 },
  { name: 'a list of one name', target: `${PODS}?fieldSelector=metadata.name%3Da`, seats: 1 },
  { name: 'a list of what is served elsewhere', target: '/apis/a.io/v1/things', seats: 1 },
  { name: 'a limit that is no number', target: `${PODS}?limit=x`, seats: 6 },
  { name: 'a deletion of all', target: PODS, method: 'DELETE', seats: 6 },
  { name: 'a watch with initial events', target: `${PODS}?watch=true`, seats: 6 },
  { name: 'a watch from zero', target: `${PODS}?watch=true&resourceVersion=0`, seats: 6 },
  {
    name: 'a watch that asks for them',
    target: `${PODS}?watch=true&sendInitialEvents=true&resourceVersion=5`,
    seats: 6,
  },
  { name: 'a watch from somewhere', target: `${PODS}?watch=true&resourceVersion=5`, seats: 1 },
  { name: 'a write that 35 watch', target: PODS, method: 'POST', seats: 4 },
  { name: 'a write that few watch', target: '/api/v1/secrets', method: 'POST', seats: 1 },
  { name: 'a write that thousands watch', target: '/api/v1/configmaps', method: 'POST', seats: 10 },
  { name: 'a large write', target: '/api/v1/secrets', method: 'POST', body: 750_000, seats: 8 },
  { name: 'no resource', target: '/version', seats: 1 },
];
for (const { name, target, method = 'GET', body = 0, seats } of rows) {
  test(`${name} takes ${seats} of the seats`, () => {
    const request = requestFor(target, { method, headerLines: ['Content-Length', String(body)] });
    const loadOf = ({ resource }: { resource: string }) => loads[resource as keyof typeof loads];
    assert.equal(estimateSeats(request, loadOf), seats);
  });
}
