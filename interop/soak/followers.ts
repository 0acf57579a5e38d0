/** Three informers on the flunders behind the gateway, and one that asks wardle itself and tells what is true. */
import { createClient } from '@tributary/client';
import { CoreFollower } from '../../test/faults/core-follower.ts';
import { collectionPath } from '../../test/faults/flunders.ts';
import type { TestScope } from '../../test/harness/index.ts';
import { checkInformer } from '../../test/informers/checker.ts';
import { clientNodeInformer } from '../../test/informers/client-node-informer.ts';
import { FLUNDERS, type Flunder, itemOf } from '../../test/informers/flunders.ts';
import { clientConfig, type Follower } from '../../test/informers/follower.ts';
import type { Life } from '../../test/informers/history.ts';
import { ownInformer } from '../../test/informers/own-informer.ts';
import { waitUntilQuiet } from '../../test/informers/wait-until-quiet.ts';
import { clientGoInformer } from '../informers/client-go.ts';
import type { Site } from './site.ts';

export interface FollowerVerdict {
  readonly name: string;
  readonly violations: readonly { readonly rule: string; readonly detail: string }[];
  readonly events: number;
  readonly relists: number;
  /** Absent when it never had what the server has. */
  readonly settledMs: number | undefined;
}

export interface Followers {
  readonly events: number;
  /** Waits until each has what the server has, but not for ever. */
  compareRow(withinMs: number): Promise<FollowerVerdict[]>;
  readonly done: Promise<unknown>;
}

const KINDS = [
  clientGoInformer({ watchList: true }),
  ownInformer({ watchList: false }),
  clientNodeInformer,
];
const SYNC_MS = 60_000;

/** To be called while no client writes, so that all informers see all later changes. */
export async function startFollowers(
  scope: TestScope,
  site: Site,
  signal: AbortSignal,
): Promise<Followers> {
  const { ca, cert, key } = site.gateway.credentials;
  const access = { url: site.url, ca, user: { cert, key } };
  const truth = new CoreFollower(site.wardle, { plural: 'flunders', path: collectionPath() });
  await truth.list();
  const client = createClient(clientConfig(access));
  scope.after(() => client.close());
  const list = () => client.resource<Flunder>(FLUNDERS).listAll();
  const start = Number((await list()).metadata.resourceVersion);
  const followers: { follower: Follower; beginnings: number }[] = [];
  for (const kind of KINDS) {
    const follower = await kind.start(scope, access);
    await follower.whenSynced(AbortSignal.timeout(SYNC_MS));
    followers.push({ follower, beginnings: follower.beginnings });
  }
  return {
    get events() {
      return followers.reduce((sum, { follower }) => sum + follower.events.length, 0);
    },
    done: truth.run(signal),
    compareRow: async (withinMs) => {
      const { items } = await list();
      await truth.reaches(Math.max(0, ...items.map((item) => itemOf(item).version)));
      const settled = await Promise.all(
        followers.map(({ follower }) => waitUntilQuiet(follower, { items, quietMs: withinMs })),
      );
      const lives = livesOf(truth);
      return Promise.all(
        followers.map(async ({ follower, beginnings }, at) => {
          const { name, events, replacesByUpdate, part } = follower;
          const relists = follower.beginnings - beginnings;
          const log = {
            events: [...events],
            store: await follower.store(),
            relists,
            beginnings: follower.beginnings,
            replacesByUpdate,
          };
          const wanted = items.map((item) => itemOf(item, part));
          const found = checkInformer(log, { start, lives, list: wanted });
          const violations = found.map(({ rule, text }) => ({ rule, detail: `${name}: ${text}` }));
          return { name, violations, events: events.length, relists, settledMs: settled[at] };
        }),
      );
    },
  };
}

/** Wardle's events: it is never requested through the gateway, and its events are checked elsewhere. */
function livesOf({ events }: CoreFollower): Life[] {
  const lives = new Map<string, { key: string; versions: number[]; ended: boolean }>();
  for (const { type, namespace, name, uid, revision } of events) {
    const life = lives.get(uid) ?? { key: `${namespace}/${name}`, versions: [], ended: false };
    lives.set(uid, life);
    if (type === 'DELETED') life.ended = true;
    else life.versions.push(revision);
  }
  return [...lives].map(([uid, life]) => ({ uid, ...life }));
}
