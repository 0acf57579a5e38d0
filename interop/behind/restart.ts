/** The extension server is killed and returns: the control plane reports it, and watchers miss nothing. */
import assert from 'node:assert/strict';
import type { KubeObject } from '@tributary/apimachinery';
import type { TestScope } from '../../test/harness/index.ts';
import { type Flunder, itemOf } from '../../test/informers/flunders.ts';
import type { Follower } from '../../test/informers/follower.ts';
import { clientGoInformer } from '../informers/client-go.ts';
import {
  askFront,
  flunder,
  flundersPath,
  makeNamespace,
  must,
  post,
  untilAvailable,
  within,
} from './ask.ts';
import { GROUP, type Site } from './site.ts';

const NAMESPACE = 'restarts';
const FLUNDERS = flundersPath(NAMESPACE);
const EVERYWHERE = `/apis/${GROUP}/v1alpha1/flunders`;
const COUNT = 30;
const SYNCED_MS = 120_000;
const REFUSED_MS = 30_000;
/** Upstream looks at a server every half a minute, and at one that has failed at growing distances. */
const NOTICED_MS = 120_000;
/** A reflector of client-go that has failed often waits for up to half a minute, and so may an aggregator. */
const RECOVERED_MS = 150_000;

/** Informers of client-go, from before the death until after the return. */
export async function survivesRestarts(t: TestScope, site: Site): Promise<void> {
  await makeNamespace(site, NAMESPACE);
  await write(site, 'before');
  const followers = await follow(t, site);
  for (const follower of followers) await becomesQuiet(follower, site);
  const uid = await uidOf(site, 'before-0');

  await site.backend.kill();
  await within(REFUSED_MS, async () => {
    assert.equal((await askFront(site, FLUNDERS)).status, 503);
  });
  await untilAvailable(site, { status: 'False', withinMs: NOTICED_MS });
  // Other requests are served.
  await must(askFront(site, '/api/v1/namespaces/default/configmaps'));

  await site.backend.start();
  await untilAvailable(site, { status: 'True', withinMs: RECOVERED_MS });
  // The APIService condition and the treatment of requests follow one another within a moment.
  await within(REFUSED_MS, async () => assert.equal(await uidOf(site, 'before-0'), uid));
  await write(site, 'after');
  await must(askFront(site, `${FLUNDERS}/before-1`, { method: 'DELETE' }));
  for (const follower of followers) {
    await becomesQuiet(follower, site);
    assert.deepEqual(follower.complaints, [], follower.name);
    const ended = follower.events.filter(({ kind }) => kind === 'delete').map(({ key }) => key);
    assert.deepEqual(ended, [`${NAMESPACE}/before-1`], follower.name);
  }
}

async function follow(t: TestScope, { front }: Site): Promise<Follower[]> {
  const access = { url: front.url, ca: front.ca, user: front.admin };
  const followers: Follower[] = [];
  for (const watchList of [true, false]) {
    followers.push(await clientGoInformer({ watchList }).start(t, access));
  }
  for (const follower of followers) await follower.whenSynced(AbortSignal.timeout(SYNCED_MS));
  return followers;
}

async function write(site: Site, prefix: string): Promise<void> {
  for (let index = 0; index < COUNT; index += 1) {
    await post(site, FLUNDERS, flunder(`${prefix}-${index}`));
  }
}

/** Until it has what the server has: the same objects, versions and contents. */
async function becomesQuiet(follower: Follower, site: Site): Promise<void> {
  await within(RECOVERED_MS, async () => {
    const { items } = (await must(askFront(site, EVERYWHERE))).json() as { items: Flunder[] };
    const wanted = items.map((item) => itemOf(typed(item)));
    assert.deepEqual(sorted(await follower.store()), sorted(wanted), follower.name);
  });
}

/** Items of a list need not say what they are, and informers know it. */
function typed(item: Flunder): Flunder {
  return { ...item, apiVersion: `${GROUP}/v1alpha1`, kind: 'Flunder' };
}

function sorted<T extends { readonly key: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

async function uidOf(site: Site, name: string): Promise<string | undefined> {
  return ((await must(askFront(site, `${FLUNDERS}/${name}`))).json() as KubeObject).metadata.uid;
}
