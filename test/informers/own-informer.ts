/** The informer of packages/client. */
import { createClient, createInformer, type ListWatch } from '@tributary/client';
import { defer, type TestScope } from '../harness/index.ts';
import { ALL_WAYS } from './cutting-proxy.ts';
import { FLUNDERS, type Flunder, itemOf } from './flunders.ts';
import { type Access, clientConfig, type Follower, type FollowerKind } from './follower.ts';
import type { InformerEvent } from './history.ts';

/** Faster than in production: the network is bad here, not the server. */
const BACKOFF = { initialMs: 20, maxMs: 200, factor: 2, jitter: 1, resetMs: 1000 };

export function ownInformer({ watchList }: { watchList: boolean }): FollowerKind {
  return { start: (t, access) => startInformer(t, access, watchList), ways: ALL_WAYS };
}

async function startInformer(t: TestScope, access: Access, watchList: boolean): Promise<Follower> {
  const client = createClient(clientConfig(access));
  const counted = countBeginnings(client.resource<Flunder>(FLUNDERS));
  const informer = createInformer({ resource: counted.resource, watchList, backoff: BACKOFF });
  const events: InformerEvent[] = [];
  const record = (kind: InformerEvent['kind'], object: Flunder): void => {
    const { key, uid, version } = itemOf(object);
    events.push({ kind, key, uid, version });
  };
  informer.addHandler({
    onAdd: (object) => record('add', object),
    onUpdate: (_, object) => record('update', object),
    onDelete: (object) => record('delete', object),
  });
  defer(t, async () => {
    await informer.close();
    await client.close();
  });
  informer.start();
  return {
    name: `@tributary/client, ${watchList ? 'watch list' : 'list and watch'}`,
    part: 'whole',
    events,
    get beginnings() {
      return counted.beginnings();
    },
    replacesByUpdate: false,
    complaints: [],
    whenSynced: (signal) => informer.whenSynced(signal),
    store: async () => informer.store.list().map((object) => itemOf(object)),
  };
}

function countBeginnings(source: ListWatch<Flunder>): {
  resource: ListWatch<Flunder>;
  beginnings: () => number;
} {
  let beginnings = 0;
  const resource: ListWatch<Flunder> = {
    list: (options) => source.list(options),
    listAll: (options) => {
      beginnings += 1;
      return source.listAll(options);
    },
    watch: (options) => {
      if (options?.sendInitialEvents === true) beginnings += 1;
      return source.watch(options);
    },
  };
  return { resource, beginnings: () => beginnings };
}
