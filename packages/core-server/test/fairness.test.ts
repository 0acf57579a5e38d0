/** Somebody floods `tributary up` with writes; others hardly notice, and nothing is left behind. */
import assert from 'node:assert/strict';
import { type ClientHttp2Session, connect } from 'node:http2';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScope, httpsRequest } from '../../../test/harness/index.ts';
import { type RunningCore, startRunningCore } from './running-core.ts';

const TOKENS = [
  'admin-token,admin,1,"system:masters"',
  'flood-token,flood,2,dev',
  'mary-token,mary,3,dev',
];
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CONNECTIONS = 5;
const PER_CONNECTION = 100;
const FLOOD_MS = 3_000;
/** The flood lasts until the others have done this often what they want, or until the longest time is over. */
const TIMES_MIN = 12;
const FLOOD_MS_MAX = 40_000;
/** Far above what a quiet machine needs; a starved request waits fifteen seconds and is turned away. */
const P99_MS_MAX = 2_000;

suite('a flood of writes', () => {
  const scope = createScope('fairness');
  let core: RunningCore;
  const sessions: ClientHttp2Session[] = [];
  const open = (): ClientHttp2Session => {
    const session = connect(core.url, { ca: core.ca });
    session.on('error', () => {}); // its requests fail, and say so
    sessions.push(session);
    return session;
  };

  before(async () => {
    core = await startRunningCore(scope, {
      tokens: TOKENS,
      // Few seats, so that five hundred requests wait for them.
      flags: () => ['--max-requests-inflight=16', '--max-mutating-requests-inflight=8'],
    });
    const { status } = await httpsRequest(
      `${core.url}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`,
      {
        method: 'POST',
        ca: core.ca,
        token: 'admin-token',
        body: {
          metadata: { name: 'dev' },
          roleRef: {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: 'ClusterRole',
            name: 'cluster-admin',
          },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'dev' }],
        },
      },
    );
    assert.equal(status, 201);
  });
  after(async () => {
    for (const session of sessions) session.destroy();
    await scope.close();
  });

  test('delays others by little, whatever they want', async () => {
    const startMs = performance.now();
    const others: Sent[][] = [[], [], []];
    const isOver = () => {
      const tookMs = performance.now() - startMs;
      const isShown = others.every((sent) => sent.length >= TIMES_MIN);
      return (tookMs > FLOOD_MS && isShown) || tookMs > FLOOD_MS_MAX;
    };
    const flooding: Promise<Sent[]>[] = [];
    for (let at = 0; at < CONNECTIONS; at += 1) {
      const session = open();
      for (let stream = 0; stream < PER_CONNECTION; stream += 1) {
        flooding.push(repeat(() => floodOnce(session), isOver));
      }
    }
    const own = open();
    // Strangers get one request a connection.
    const probe = async () => (await httpsRequest(`${core.url}/readyz`, { ca: core.ca })).status;
    const read = () => send(own, { path: `${CONFIG_MAPS}?limit=1`, token: 'mary-token' });
    const [writes, reads, probes, flood] = await Promise.all([
      repeat(() => write(own, 'mary-token'), isOver, others[0]),
      repeat(read, isOver, others[1]),
      repeat(probe, isOver, others[2]),
      Promise.all(flooding).then((all) => all.flat()),
    ]);
    const taken = flood.filter(({ status }) => status === 201);
    const figures = Object.fromEntries(
      Object.entries({ writes, reads, probes, flood, taken }).map(([name, sent]) => [
        name,
        figuresOf(sent),
      ]),
    );
    const shown = JSON.stringify(figures);
    for (const sent of [writes, reads, probes]) {
      assert.ok(sent.length >= TIMES_MIN, shown);
      assert.deepEqual(
        [...new Set(sent.map(({ status }) => Math.floor(status / 100)))],
        [2],
        shown,
      );
      assert.ok(figuresOf(sent).p99 < P99_MS_MAX, shown);
    }
    // In one queue for all, a write would take as long as any of the flood.
    assert.ok(figuresOf(writes).median < figuresOf(taken).median * 0.75, shown);
    assert.ok(flood.length >= CONNECTIONS * PER_CONNECTION, shown);
  });

  test('leaves no seat taken and nobody waiting', async () => {
    const { body } = await httpsRequest(`${core.url}/metrics`, {
      ca: core.ca,
      token: 'admin-token',
    });
    const values = (name: string) =>
      [
        ...body.matchAll(
          new RegExp(`^apiserver_flowcontrol_${name}\\{.*priority_level="(.*)"\\} (\\S+)$`, 'gm'),
        ),
      ]
        .filter(([, level]) => level !== 'exempt') // this very request
        .map(([, , value]) => Number(value));
    for (const name of [
      'current_executing_seats',
      'current_executing_requests',
      'current_inqueue_requests',
    ]) {
      assert.ok(values(name).length > 0, name);
      assert.ok(
        values(name).every((value) => value === 0),
        `${name} ${values(name)}`,
      );
    }
    const waits =
      /request_wait_duration_seconds_count\{execute="true",flow_schema="global-default".*\} (\d+)/.exec(
        body,
      );
    assert.ok(Number(waits?.[1]) > 100, 'nobody has waited, so nothing was tested');
  });
});

/** Its author has read that 429 means to come later, and not how much later. */
async function floodOnce(session: ClientHttp2Session): Promise<number> {
  const status = await write(session, 'flood-token');
  if (status === 429) await sleep(100);
  return status;
}

interface Sent {
  readonly status: number;
  readonly tookMs: number;
}

async function repeat(
  run: () => Promise<number>,
  isOver: () => boolean,
  sent: Sent[] = [],
): Promise<Sent[]> {
  do {
    const startMs = performance.now();
    const status = await run();
    sent.push({ status, tookMs: performance.now() - startMs });
  } while (!isOver());
  return sent;
}

function write(session: ClientHttp2Session, token: string): Promise<number> {
  const body = JSON.stringify({ metadata: { generateName: 'x-' }, data: { k: 'v' } });
  return send(session, { method: 'POST', path: CONFIG_MAPS, token, body });
}

function send(
  session: ClientHttp2Session,
  {
    method = 'GET',
    path,
    token,
    body,
  }: { method?: string; path: string; token?: string; body?: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    });
    let status = 0;
    stream.on('response', (headers) => {
      status = headers[':status'] ?? 0;
    });
    stream.on('error', reject);
    stream.on('close', () => resolve(status));
    stream.resume();
    stream.end(body);
  });
}

function figuresOf(sent: readonly Sent[]): { count: number; median: number; p99: number } {
  const sorted = sent.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return { count: sorted.length, median: at(0.5), p99: at(0.99) };
}
