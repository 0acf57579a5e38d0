import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendFailure, type BackendRequest, type BackendResponse } from '@tributary/proxy';
import { VirtualClock } from '../../../../test/harness/index.ts';
import type { Cluster } from './cluster.ts';
import { watchClusterDiscovery } from './cluster-discovery.ts';

test('a document is asked for by its tag, and kept while the cluster is away', async () => {
  const cluster = fakeCluster({ '/apis': aggregated(['apps', 'v1']) });
  const { discovery, clock, changes } = follow(cluster);
  await discovery.polled;
  assert.deepEqual(versionsOf(discovery), ['apps/v1']);
  await clock.advance(60_000);
  assert.deepEqual(cluster.asked, ['/apis', '/apis "apps"']);
  cluster.pages['/apis'] = aggregated(['apps', 'v1'], ['a.io', 'v1']);
  await clock.advance(60_000);
  assert.deepEqual(versionsOf(discovery), ['apps/v1', 'a.io/v1']);
  delete cluster.pages['/apis'];
  await clock.advance(60_000);
  assert.deepEqual(versionsOf(discovery), ['apps/v1', 'a.io/v1']);
  assert.equal(changes(), 2);
  await discovery.close();
});

test('what somebody looks at is asked for more often, and what was written at once', async () => {
  const cluster = fakeCluster({ '/apis': aggregated(['apps', 'v1']) });
  const { discovery, clock } = follow(cluster);
  await discovery.polled;
  const during = async (ms: number) => {
    cluster.asked.length = 0;
    await clock.advance(ms);
    return cluster.asked.length;
  };
  assert.equal(await during(59_000), 0);
  discovery.onRead();
  assert.equal(await during(20_000), 10); // every two seconds, beside the one at once
  discovery.onWrite();
  assert.ok((await during(3_000)) >= 14); // every fifth of a second, for a while
  await during(60_000);
  assert.ok((await during(60_000)) <= 1);
  await discovery.close();
});

test('a cluster without aggregated documents is asked for each list', async () => {
  const cluster = fakeCluster({
    '/apis': {
      body: {
        kind: 'APIGroupList',
        groups: [
          { name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] },
          { name: 'gone.io', versions: [{ groupVersion: 'gone.io/v1', version: 'v1' }] },
        ],
      },
    },
    '/apis/apps/v1': {
      body: {
        kind: 'APIResourceList',
        groupVersion: 'apps/v1',
        resources: [
          {
            name: 'deployments',
            singularName: '',
            namespaced: true,
            kind: 'Deployment',
            verbs: ['get'],
          },
        ],
      },
    },
    '/apis/gone.io/v1': { status: 503, body: {} },
  });
  const { discovery } = follow(cluster);
  await discovery.polled;
  assert.deepEqual(
    discovery.versions.map(({ group, freshness }) => [group, freshness]),
    [
      ['apps', 'Current'],
      ['gone.io', 'Stale'],
    ],
  );
  assert.match(discovery.versions[0]?.resources ?? '', /"deployments"/);
  await discovery.close();
});

test('a cluster that is away from the start is heard when it comes', async () => {
  const cluster = fakeCluster({});
  const { discovery, clock, complaints } = follow(cluster);
  await discovery.polled;
  assert.deepEqual(versionsOf(discovery), []);
  discovery.onRead();
  await clock.advance(10_000);
  assert.equal(complaints(), 1); // once for all that are the same
  cluster.pages['/apis'] = aggregated(['apps', 'v1']);
  await clock.advance(2_000);
  assert.deepEqual(versionsOf(discovery), ['apps/v1']);
  await discovery.close();
});

interface Page {
  readonly status?: number;
  readonly contentType?: string;
  readonly etag?: string;
  readonly body: object;
}

function aggregated(...versions: readonly (readonly [group: string, version: string])[]): Page {
  const resources = [{ resource: 'things', scope: 'Cluster', verbs: ['get'] }];
  return {
    contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    etag: `"${versions.map(([group]) => group).join()}"`, // other content, other tag
    body: {
      kind: 'APIGroupDiscoveryList',
      items: versions.map(([name, version]) => ({
        metadata: { name },
        versions: [{ version, resources }],
      })),
    },
  };
}

function fakeCluster(pages: Record<string, Page>) {
  const asked: string[] = [];
  const target = { host: 'cluster', port: 443, serverName: 'cluster' };
  const send = async ({ path, headers }: BackendRequest): Promise<BackendResponse> => {
    const tag = headers.find(([name]) => name === 'if-none-match')?.[1];
    asked.push(tag === undefined ? path : `${path} ${tag}`);
    const page = pages[path];
    if (page === undefined) {
      throw new BackendFailure('away', { hop: 'connect', maybeProcessed: false, target });
    }
    const { status = 200, contentType = 'application/json', etag = '', body } = page;
    const isKnown = etag !== '' && tag === etag;
    return {
      status: isKnown ? 304 : status,
      headers: [
        ['content-type', contentType],
        ['etag', etag],
      ],
      body: (async function* () {
        if (!isKnown) yield Buffer.from(JSON.stringify(body));
      })(),
      target,
      cancel() {},
    };
  };
  return { pages, asked, send } as unknown as Cluster & {
    pages: Record<string, Page>;
    asked: string[];
  };
}

function follow(cluster: Cluster) {
  const clock = new VirtualClock();
  let changes = 0;
  let complaints = 0;
  const discovery = watchClusterDiscovery({
    cluster,
    clock,
    changed: () => {
      changes += 1;
    },
    log: {
      error: () => {
        complaints += 1;
      },
    } as never,
  });
  return { discovery, clock, changes: () => changes, complaints: () => complaints };
}

function versionsOf({ versions }: ReturnType<typeof watchClusterDiscovery>): string[] {
  return versions.map(({ group, version }) => `${group}/${version}`);
}
