import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReferenceStack } from '../interop/stack.ts';
import {
  logShows,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../test/harness/index.ts';
import type { LoadTarget } from './http-load.ts';
import { httpsSession } from './https-session.ts';

/** A front with wardle behind it, and direct access to wardle where the front permits it. */
export interface AggregatedWardle {
  readonly name: string;
  readonly frontPid: number;
  /** All processes that serve a response: front, extension server, store. */
  readonly pids: readonly number[];
  readonly wardlePid: number;
  through(path: string): LoadTarget;
  /** Bypasses the front, with the same credentials. */
  direct(path: string): LoadTarget;
}

const AVAILABLE = /wardle\] is available/;

/** The built program, with its sample. */
export async function startOurs(scope: TestScope): Promise<AggregatedWardle> {
  const directory = await temporaryDirectory(scope, 'bench-aggregator-');
  const root = join(import.meta.dirname, '..');
  const started = await startProcess(scope, {
    name: 'tributary up',
    command: process.execPath,
    args: [
      join(root, 'packages/cli/bin/tributary.js'),
      'up',
      '--sample=wardle',
      '--secure-port=0',
      `--data-dir=${directory}`,
    ],
    ready: logShows(AVAILABLE),
  });
  const [, port = ''] = await started.waitForLog(/is ready at https:\/\/[^:]+:(\d+)/);
  const read = (name: string) => readFile(join(directory, 'pki', name), 'utf8');
  const [ca, cert, key] = await Promise.all(['server-ca.crt', 'admin.crt', 'admin.key'].map(read));
  const access = { port: Number(port), ca: ca ?? '', cert: cert ?? '', key: key ?? '' };
  await using session = await httpsSession(access);
  const { items } = JSON.parse(await session.get('/aggregation/servers')) as {
    items: {
      group: string;
      servers: { url: string; tlsServerName: string }[];
      caBundle?: string;
    }[];
  };
  const wardle = items.find(({ group }) => group === 'wardle.example.com');
  const server = wardle?.servers[0];
  if (wardle === undefined || server === undefined) throw new Error('wardle is not registered');
  const wardlePid = await childOf(started.pid);
  return {
    name: 'tributary up → wardle',
    frontPid: started.pid,
    wardlePid,
    pids: [started.pid, wardlePid],
    through: (path) => ({ ...access, path }),
    direct: (path) => ({
      ...access,
      port: Number(new URL(server.url).port),
      ca: wardle.caBundle ?? '',
      serverName: server.tlsServerName,
      path,
    }),
  };
}

/** The reference: kube-apiserver, sample-apiserver and etcd. */
export async function startReference(scope: TestScope): Promise<AggregatedWardle> {
  const stack = await startReferenceStack({ scope, aggregate: true });
  const pidOf = (name: string) => stack.processes.find((one) => one.name === name)?.pid ?? 0;
  const at = ({ url, ca, admin }: typeof stack.kubeApiserver, path: string): LoadTarget => ({
    port: Number(new URL(url).port),
    ca,
    cert: admin.cert,
    key: admin.key,
    path,
  });
  return {
    name: 'kube-apiserver → sample-apiserver',
    frontPid: pidOf('kube-apiserver'),
    wardlePid: pidOf('sample-apiserver'),
    pids: stack.processes.map(({ pid }) => pid),
    through: (path) => at(stack.kubeApiserver, path),
    direct: (path) => at(stack.sampleApiserver, path),
  };
}

async function childOf(pid: number): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const [first] = children.split(' ').filter(Boolean);
    if (first !== undefined) return Number(first);
    await sleep(100);
  }
  throw new Error('the sample is not a child of its program');
}

const AT_ONCE = 16;

/** Creates Flunders of about 1 KB in a new namespace. */
export async function createFlunders(front: AggregatedWardle, count: number): Promise<void> {
  await using session = await httpsSession(front.through(''));
  await session.post('/api/v1/namespaces', { metadata: { name: 'bench' } });
  let made = 0;
  const maker = async () => {
    while (made < count) {
      const name = `object-${String(made).padStart(5, '0')}`;
      made += 1;
      await session.post('/apis/wardle.example.com/v1beta1/namespaces/bench/flunders', {
        apiVersion: 'wardle.example.com/v1beta1',
        kind: 'Flunder',
        metadata: { name, annotations: { filler: 'x'.repeat(600) } },
        spec: { flunderReference: 'another', referenceType: 'Flunder' },
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
}
