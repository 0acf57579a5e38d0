/** Texts of kube-apiserver. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock, openMemoryStorage } from '@tributary/storage';
import { requestFor } from '../../../test/request-fixture.ts';
import { Shutdown } from '../shutdown.ts';
import { healthRoute } from './health.ts';
import { serverHealthChecks } from './health-checks.ts';

interface State {
  readonly isStopping?: boolean;
  readonly isStoreClosed?: boolean;
  readonly logStuckMs?: number;
}

async function ask(target: string, state: State = {}) {
  const clock = manualClock();
  const storage = openMemoryStorage();
  if (state.isStoreClosed) await storage.close();
  const shutdown = new Shutdown(clock, () => 0);
  if (state.isStopping) shutdown.begin();
  const logMovedMs = () => clock.nowMs() - (state.logStuckMs ?? 0);
  const failures: string[] = [];
  const checks = serverHealthChecks({ clock, storage, shutdown, logMovedMs });
  const route = healthRoute(checks, (_endpoint, failed) => failures.push(...failed));
  const response = await route(requestFor(target));
  if (response === undefined) return undefined;
  assert.ok(response.kind === 'bytes');
  const body = Buffer.concat(response.chunks).toString();
  return { code: response.code, body, failures };
}

const OK = '[+]ping ok\n[+]log ok\n[+]etcd ok\n';
const cases: { name: string; target: string; state?: State; code: number; body: string }[] = [
  { name: 'in one word', target: '/healthz', code: 200, body: 'ok' },
  { name: 'with a slash', target: '/livez/', code: 200, body: 'ok' },
  {
    name: 'in words',
    target: '/readyz?verbose',
    code: 200,
    body: `${OK}[+]etcd-readiness ok\n[+]shutdown ok\nreadyz check passed\n`,
  },
  {
    name: 'liveness does not care for what readiness does',
    target: '/livez?verbose=1',
    state: { isStopping: true },
    code: 200,
    body: `${OK}livez check passed\n`,
  },
  {
    name: 'readiness while stopping, always in words',
    target: '/readyz',
    state: { isStopping: true },
    code: 500,
    body: `${OK}[+]etcd-readiness ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n`,
  },
  {
    name: 'without a store',
    target: '/livez',
    state: { isStoreClosed: true },
    code: 500,
    body: '[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\nlivez check failed\n',
  },
  {
    name: 'with a log that is stuck',
    target: '/healthz/log',
    state: { logStuckMs: 120_000 },
    code: 500,
    body: 'internal server error: logging blocked\n',
  },
  {
    name: 'without a check',
    target: '/livez?verbose&exclude=ping',
    code: 200,
    body: '[+]ping excluded: ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n',
  },
  {
    name: 'without a group of checks, one of them by its own name',
    target: '/readyz?verbose&exclude=etcd',
    code: 200,
    body: '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n[+]etcd-readiness excluded with etcd: ok\n[+]shutdown ok\nreadyz check passed\n',
  },
  {
    name: 'without checks that do not exist',
    target: '/livez?verbose&exclude=b&exclude=a',
    code: 200,
    body: `${OK}warn: some health checks cannot be excluded: no matches for "a","b"\nlivez check passed\n`,
  },
  { name: 'one check', target: '/readyz/etcd', code: 200, body: 'ok' },
  {
    name: 'one check that fails, with its reason',
    target: '/readyz/shutdown',
    state: { isStopping: true },
    code: 500,
    body: 'internal server error: process is shutting down\n',
  },
];

for (const { name, target, state, code, body } of cases) {
  test(`health ${name}: ${target}`, async () => {
    const response = await ask(target, state);
    assert.equal(response?.code, code);
    assert.equal(response?.body, body);
  });
}

for (const target of ['/livez/shutdown', '/healthz/nonsense', '/healthz//x', '/health']) {
  test(`${target} is nothing`, async () => assert.equal(await ask(target), undefined));
}

test('why a check fails is told to whoever runs the server', async () => {
  const response = await ask('/readyz', { isStopping: true });
  assert.deepEqual(response?.failures, ['shutdown: process is shutting down']);
});
