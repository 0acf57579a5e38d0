/** A control plane with few seats, a user who floods it with writes, and another user. */
import assert from 'node:assert/strict';
import { type ClientHttp2Session, connect } from 'node:http2';
import { defer, httpsRequest, type TestScope } from '../../../test/harness/index.ts';
import { type RunningCore, startRunningCore } from './running-core.ts';

const TOKENS = [
  'admin-token,admin,1,"system:masters"',
  'flood-token,flood,2,dev',
  'mary-token,mary,3,dev',
];
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CONNECTIONS = 5;
const PER_CONNECTION = 100;
/** Concurrent requests of the flood, queued or executing. */
export const FLOOD: number = CONNECTIONS * PER_CONNECTION;

/** Each method sends one request and resolves with its status. */
interface Others {
  write(): Promise<number>;
  read(): Promise<number>;
  probe(): Promise<number>;
}

interface Flood {
  /** The number of successful writes so far. */
  readonly taken: number;
  /** Resolves after the pending requests. */
  stop(): Promise<void>;
}

interface FloodedCore {
  readonly core: RunningCore;
  readonly others: Others;
  /** Calls back with the duration of each successful write. */
  flood(onTaken?: (tookMs: number) => void): Flood;
}

export async function startFloodedCore(scope: TestScope): Promise<FloodedCore> {
  const core = await startRunningCore(scope, {
    tokens: TOKENS,
    // Few seats, so that five hundred requests queue.
    flags: () => ['--max-requests-inflight=16', '--max-mutating-requests-inflight=8'],
  });
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const apiGroup = 'rbac.authorization.k8s.io';
  const { status } = await httpsRequest(core.url + bindings, {
    method: 'POST',
    ca: core.ca,
    token: 'admin-token',
    body: {
      metadata: { name: 'dev' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup, kind: 'Group', name: 'dev' }],
    },
  });
  assert.equal(status, 201);
  const open = (): ClientHttp2Session => {
    const session = connect(core.url, { ca: core.ca });
    session.on('error', () => {}); // Requests of the session fail with the error.
    defer(scope, () => session.destroy());
    return session;
  };
  const own = open();
  return {
    core,
    others: {
      write: () => write(own, 'mary-token'),
      read: () => send(own, { path: `${CONFIG_MAPS}?limit=1`, token: 'mary-token' }),
      // Anonymous requests open a connection each.
      probe: async () => (await httpsRequest(`${core.url}/readyz`, { ca: core.ca })).status,
    },
    flood: (onTaken) => startFlood(Array.from({ length: CONNECTIONS }, open), onTaken),
  };
}

/** Sends a request after each response; after a 429 when the next write succeeds. */
function startFlood(
  sessions: readonly ClientHttp2Session[],
  onTaken: (tookMs: number) => void = () => {},
): Flood {
  let taken = 0;
  let isOver = false;
  const turnedAway: (() => void)[] = [];
  const repeat = async (session: ClientHttp2Session): Promise<void> => {
    while (!isOver) {
      const startMs = performance.now();
      const status = await write(session, 'flood-token');
      if (status === 201) {
        taken += 1;
        onTaken(performance.now() - startMs);
        turnedAway.shift()?.();
      } else {
        assert.equal(status, 429);
        if (!isOver) await new Promise<void>((resolve) => turnedAway.push(resolve));
      }
    }
  };
  const flooding = Promise.all(
    sessions.flatMap((session) => Array.from({ length: PER_CONNECTION }, () => repeat(session))),
  );
  flooding.catch(() => {}); // stop() rejects with the error.
  return {
    get taken() {
      return taken;
    },
    async stop() {
      isOver = true;
      for (const proceed of turnedAway.splice(0)) proceed();
      await flooding;
    },
  };
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
