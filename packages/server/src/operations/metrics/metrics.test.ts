/** Names and labels of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock, openMemoryStorage } from '@tributary/storage';
import { requestFor } from '../../../test/request-fixture.ts';
import { inFlightQueues } from '../../filters/in-flight.ts';
import { withObservation } from '../../filters/observation.ts';
import type { ApiResponse } from '../../request/pipeline.ts';
import { accessMetrics } from './access-metrics.ts';
import { CounterFamily, exponentialBuckets, GaugeFamily, HistogramFamily } from './family.ts';
import { measuredStorage } from './measured-storage.ts';
import { MetricsRegistry } from './registry.ts';
import { requestMetrics } from './request-metrics.ts';
import { systemMetrics } from './system-metrics.ts';

function linesOf(registry: MetricsRegistry, pattern: RegExp): string[] {
  return registry
    .text()
    .split('\n')
    .filter((line) => pattern.test(line));
}

const things = '/apis/g.io/v1/namespaces/n/things';
const requests = [
  { method: 'GET', target: `${things}/a`, verb: 'GET', scope: 'resource' },
  { method: 'HEAD', target: `${things}/a`, verb: 'GET', scope: 'resource' },
  { method: 'GET', target: things, verb: 'LIST', scope: 'namespace' },
  { method: 'GET', target: '/apis/g.io/v1/things', verb: 'LIST', scope: 'cluster' },
  {
    method: 'GET',
    target: `${things}?fieldSelector=metadata.name=a`,
    verb: 'GET',
    scope: 'resource',
  },
  { method: 'GET', target: `${things}?watch=1`, verb: 'WATCH', scope: 'namespace' },
  { method: 'POST', target: things, verb: 'POST', scope: 'resource' },
  {
    method: 'POST',
    target: `${things}?dryRun=All`,
    verb: 'POST',
    scope: 'resource',
    dryRun: 'All',
  },
  {
    method: 'PUT',
    target: `${things}/a?dryRun=x`,
    verb: 'PUT',
    scope: 'resource',
    dryRun: 'invalid',
  },
  { method: 'PATCH', target: `${things}/a`, verb: 'PATCH', scope: 'resource' },
  {
    method: 'PATCH',
    target: `${things}/a/status`,
    verb: 'APPLY',
    scope: 'resource',
    subresource: 'status',
    headerLines: ['content-type', 'application/apply-patch+yaml'],
  },
  { method: 'DELETE', target: `${things}/a`, verb: 'DELETE', scope: 'resource' },
  { method: 'DELETE', target: things, verb: 'DELETE', scope: 'namespace' },
  {
    method: 'POST',
    target: `${things}/a/exec`,
    verb: 'CONNECT',
    scope: 'resource',
    subresource: 'exec',
  },
  { method: 'BREW', target: things, verb: 'other', scope: 'namespace' },
];
for (const row of requests) {
  const { method, target, verb, scope, dryRun = '', subresource = '', headerLines = [] } = row;
  test(`${method} ${target} counts as ${verb}`, async () => {
    const registry = new MetricsRegistry();
    const metrics = requestMetrics(registry, () => true);
    const response: ApiResponse = { kind: 'object', code: 200, object: {} };
    const filter = withObservation({ nowMs: () => 0, metrics })(async () => response);
    await filter(requestFor(target, { method, headerLines }));
    assert.deepEqual(linesOf(registry, /^apiserver_request_total/), [
      `apiserver_request_total{code="200",component="apiserver",dry_run="${dryRun}",group="g.io",resource="things",scope="${scope}",subresource="${subresource}",verb="${verb}",version="v1"} 1`,
    ]);
    const isRead = verb === 'GET' || verb === 'LIST';
    assert.equal(linesOf(registry, /^apiserver_response_sizes_count/).length, isRead ? 1 : 0);
    const sli = linesOf(registry, /^apiserver_request_sli_duration_seconds_count/);
    assert.equal(sli.length, dryRun === '' ? 1 : 0);
  });
}

test('what is not served has no figures, and health has those of upstream', async () => {
  const registry = new MetricsRegistry();
  const metrics = requestMetrics(registry, ({ path }) => path === '/readyz');
  const finished = { code: 200, bytes: 2, tookMs: 1, waitedMs: 0, wasAborted: false };
  metrics.finished(requestFor('/readyz'), finished);
  metrics.finished(requestFor('/guess'), finished);
  assert.deepEqual(linesOf(registry, /^apiserver_request_total/), [
    'apiserver_request_total{code="200",component="",dry_run="",group="",resource="",scope="",subresource="/readyz",verb="GET",version=""} 1',
  ]);
});

test('time in the queue is not counted as time taken by the server', () => {
  const registry = new MetricsRegistry();
  const finished = { code: 429, bytes: 0, tookMs: 2000, waitedMs: 1500, wasAborted: true };
  requestMetrics(registry, () => true).finished(requestFor(things), finished);
  assert.match(linesOf(registry, /^apiserver_request_duration_seconds_sum/)[0] ?? '', / 2$/);
  assert.match(linesOf(registry, /^apiserver_request_sli_duration_seconds_sum/)[0] ?? '', / 0.5$/);
  assert.deepEqual(linesOf(registry, /^apiserver_request_(terminations|aborts)_total/), [
    'apiserver_request_aborts_total{group="g.io",resource="things",scope="namespace",subresource="",verb="LIST",version="v1"} 1',
    'apiserver_request_terminations_total{code="429",component="apiserver",group="g.io",resource="things",scope="namespace",subresource="",verb="LIST",version="v1"} 1',
  ]);
});

test('events of watches are counted line by line, and open watches while they are open', async () => {
  const registry = new MetricsRegistry();
  const metrics = requestMetrics(registry, () => true);
  const chunks = (async function* () {
    yield Buffer.from(`${'x'.repeat(1999)}\ny\n`);
  })();
  const stream: ApiResponse = { kind: 'stream', contentType: 'application/json', chunks };
  const filter = withObservation({ nowMs: () => 0, metrics })(async () => stream);
  const response = await filter(requestFor(`${things}?watch=1`));
  const gauge = /^apiserver_longrunning_requests/;
  assert.deepEqual(linesOf(registry, gauge), [
    'apiserver_longrunning_requests{component="apiserver",group="g.io",resource="things",scope="namespace",subresource="",verb="WATCH",version="v1"} 1',
  ]);
  assert.ok(response.kind === 'stream');
  for await (const _ of response.chunks);
  assert.match(linesOf(registry, gauge)[0] ?? '', / 0$/);
  assert.deepEqual(linesOf(registry, /^apiserver_watch_events_(total|sizes_(sum|count))/), [
    'apiserver_watch_events_sizes_sum{group="g.io",resource="things",version="v1"} 2002',
    'apiserver_watch_events_sizes_count{group="g.io",resource="things",version="v1"} 2',
    'apiserver_watch_events_total{group="g.io",resource="things",version="v1"} 2',
  ]);
});

const users = [
  { user: 'admin', username: 'admin' },
  { user: 'me@example.com', username: 'email_id' },
  { user: 'system:serviceaccount:a:b', username: 'other' },
];
for (const { user: name, username } of users) {
  test(`${name} counts as ${username}`, () => {
    const registry = new MetricsRegistry();
    const user = { name, uid: '', groups: [], extra: {} };
    accessMetrics(registry).authenticated({ outcome: 'authenticated', user }, 1);
    assert.deepEqual(linesOf(registry, /^(authenticated_user_requests|authentication_attempts)/), [
      `authenticated_user_requests{username="${username}"} 1`,
      'authentication_attempts{result="success"} 1',
    ]);
  });
}

test('who is not let in is counted by the reason', () => {
  const registry = new MetricsRegistry();
  const metrics = accessMetrics(registry);
  metrics.authenticated({ outcome: 'no-opinion' }, 1);
  metrics.authenticated({ outcome: 'rejected', reason: 'x' }, 1);
  metrics.authorized('no-opinion', 1);
  metrics.certificateExpiry(3601);
  assert.deepEqual(
    linesOf(registry, /^auth[a-z]+_attempts|_expiration_seconds_bucket.*"(3600|7200)/),
    [
      'apiserver_client_certificate_expiration_seconds_bucket{le="3600"} 0',
      'apiserver_client_certificate_expiration_seconds_bucket{le="7200"} 1',
      'authentication_attempts{result="failure"} 1',
      'authentication_attempts{result="error"} 1',
      'authorization_attempts_total{result="no-opinion"} 1',
    ],
  );
});

test('the store is measured by operation and resource', async () => {
  const registry = new MetricsRegistry();
  await using storage = measuredStorage(openMemoryStorage(), registry);
  const key = '/registry/g.io/things/n/a';
  const put = { kind: 'put', key, value: Buffer.from('{}') } as const;
  const none = { key, revision: 0 as never };
  const created = await storage.commit({ require: [none], writes: [put] });
  assert.ok(created.outcome === 'written');
  await storage.commit({ require: [{ key, revision: created.revision }], writes: [put] });
  await storage.get(key);
  await storage.list('/registry/g.io/things/');
  await storage.commit({ require: [], writes: [{ kind: 'delete', key }] });
  assert.deepEqual(
    linesOf(registry, /^etcd_request_duration_seconds_count/).map(
      (line) => /operation="(.*?)"/.exec(line)?.[1],
    ),
    ['create', 'update', 'get', 'list', 'delete'],
  );
});

test('what the server holds is asked for when somebody looks', () => {
  const registry = new MetricsRegistry();
  const resources = [
    { prefix: '/registry/g.io/things/', objects: 3, bytes: 9, watchers: 1, ready: true },
    { prefix: '/registry/g.io/others/', objects: 0, bytes: 0, watchers: 0, ready: false },
  ];
  const sizes = { objects: 3, objectBytes: 9, historyBytes: 0, derivedBytes: 0, bytesMax: 99 };
  const inFlight = inFlightQueues({ clock: manualClock(), requestsMax: 2, mutatingRequestsMax: 0 });
  inFlight.readOnly.tryTake();
  const metrics = systemMetrics(registry, {
    memory: () => ({ ...sizes, watchers: 1, resources }),
    inFlight,
    logLinesDropped: () => 7,
  });
  metrics.handshakeErrors.add();
  const wanted = [
    'apiserver_current_inflight_requests{request_kind="readOnly"} 1',
    'apiserver_current_inflight_requests{request_kind="mutating"} 0',
    'apiserver_current_inqueue_requests{request_kind="readOnly"} 0',
    'apiserver_storage_objects{resource="things.g.io"} 3',
    'apiserver_storage_objects{resource="others.g.io"} -1',
    'apiserver_resource_objects{group="g.io",resource="things"} 3',
    'apiserver_tls_handshake_errors_total 1',
    'tributary_log_lines_dropped_total 7',
    'tributary_watch_cache_bytes_max 99',
  ];
  const lines = registry.text().split('\n');
  for (const line of wanted) assert.ok(lines.includes(line), line);
  assert.ok(lines.some((line) => line.startsWith('tributary_event_loop_delay_seconds{quantile=')));
  metrics.close();
});

test('the text format: buckets add up, labels are escaped, and nothing counted is not written', () => {
  const registry = new MetricsRegistry();
  const buckets = exponentialBuckets(1, 2, 2);
  const histogram = registry.add(new HistogramFamily({ name: 'h', help: 'H', buckets }));
  for (const value of [1, 1.5, 2, 3]) histogram.with().observe(value);
  const gauge = registry.add(new GaugeFamily({ name: 'g', help: 'G', labelNames: ['b', 'a'] }));
  gauge.with('x"\\\n', 'y').set(-1);
  registry.add(new CounterFamily({ name: 'c', help: 'C', labelNames: ['l'] }));
  assert.equal(
    registry.text(),
    [
      '# HELP g G',
      '# TYPE g gauge',
      'g{a="y",b="x\\"\\\\\\n"} -1',
      '# HELP h H',
      '# TYPE h histogram',
      'h_bucket{le="1"} 1',
      'h_bucket{le="2"} 3',
      'h_bucket{le="+Inf"} 4',
      'h_sum 7.5',
      'h_count 4',
      '',
    ].join('\n'),
  );
  assert.throws(() => registry.add(new CounterFamily({ name: 'c', help: '' })), /already/);
});

test('label values without end count as others', () => {
  const family = new CounterFamily({ name: 'c', help: 'C', labelNames: ['a', 'b'] });
  for (let at = 0; at < 6000; at += 1) family.with('x', String(at)).add();
  const lines = [...family.lines()];
  assert.equal(lines.length, 5001);
  assert.equal(lines.at(-1), 'c{a="other",b="other"} 1000');
});

test('figures of what is served no longer are taken out, of it alone', () => {
  const registry = new MetricsRegistry();
  const labelNames = ['verb', 'group', 'resource'];
  const requests = registry.add(new CounterFamily({ name: 'r', help: 'R', labelNames }));
  const others = registry.add(new CounterFamily({ name: 'o', help: 'O', labelNames: ['verb'] }));
  requests.with('GET', 'a.io', 'things').add();
  requests.with('LIST', 'a.io', 'things').add();
  requests.with('GET', 'a.io', 'thing').add();
  requests.with('things', 'b.io', 'a.io').add();
  others.with('GET').add();
  registry.forget({ group: 'a.io', resource: 'things' });
  assert.deepEqual(
    [...requests.lines(), ...others.lines()],
    [
      'r{group="a.io",resource="thing",verb="GET"} 1',
      'r{group="b.io",resource="a.io",verb="things"} 1',
      'o{verb="GET"} 1',
    ],
  );
});
