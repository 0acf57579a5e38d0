import { join } from 'node:path';
import { ABSENT } from '@tributary/storage';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { peerPath } from '../interop/peers/peers.ts';
import {
  acceptsConnections,
  freePort,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../test/harness/index.ts';
import { type Benchmark, median } from './benchmark.ts';
import { connectEtcd } from './etcd-kv.ts';

const WRITERS = 32;
const FOR_MS = 3000;
const ROUNDS = 3;
const value = Buffer.alloc(1024, 'x');

type Create = (key: string) => Promise<boolean>;

export const durableCreates: Benchmark = {
  name: 'durable-creates',
  question: `durable creates of 1 KB by ${WRITERS} writers, SQLite against etcd on the same disk (budget ≥ 2×)`,
  measure: async (scope) => {
    const etcd = await startEtcd(scope);
    if (etcd === undefined) return ['etcd is not built: npm run peers'];
    const directory = await temporaryDirectory(scope, 'bench-sqlite-');
    await using storage = await openSqliteStorage({ directory });
    await using kv = await connectEtcd(etcd);
    const ours: Create = async (key) => {
      const result = await storage.commit({
        require: [{ key, revision: ABSENT }],
        writes: [{ kind: 'put', key, value }],
      });
      return result.outcome === 'written';
    };
    const theirs: Create = (key) => kv.create(key, value);
    const rounds: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        theirs: await rate(theirs, `/registry/etcd/${round}`),
        ours: await rate(ours, `/registry/sqlite/${round}`),
      });
    }
    const ratio = median(rounds.map((round) => round.ours / round.theirs));
    const figures = rounds.map((round) => `${round.ours.toFixed(0)}:${round.theirs.toFixed(0)}`);
    return [`SQLite ${ratio.toFixed(1)}× etcd (creates/s, ours:etcd, ${figures.join(' ')})`];
  },
};

async function rate(create: Create, prefix: string): Promise<number> {
  const started = performance.now();
  const end = started + FOR_MS;
  let count = 0;
  const writer = async (number: number) => {
    for (let at = 0; performance.now() < end; at += 1) {
      if (!(await create(`${prefix}/${number}-${at}`))) throw new Error('a create was refused');
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  return count / ((performance.now() - started) / 1000);
}

async function startEtcd(scope: TestScope): Promise<string | undefined> {
  const command = peerPath('etcd');
  if (command === undefined) return undefined;
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const directory = await temporaryDirectory(scope, 'bench-etcd-');
  await startProcess(scope, {
    name: 'etcd',
    command,
    args: [
      `--data-dir=${join(directory, 'data')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--log-level=warn',
    ],
    ready: acceptsConnections(port),
  });
  return client;
}
