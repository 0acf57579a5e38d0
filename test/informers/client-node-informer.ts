/** The informer of @kubernetes/client-node. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CustomObjectsApi,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';
import type { KubeObject } from '@tributary/apimachinery';
import { resourcePath } from '@tributary/client';
import { defer, kubeconfig, type TestScope } from '../harness/index.ts';
import { API_VERSION, FLUNDERS, itemOf, KIND } from './flunders.ts';
import type { Access, Follower, FollowerKind } from './follower.ts';
import type { InformerEvent } from './history.ts';

/** It stops after every error; its user starts it again after a while. */
const POLL_MS = 50;

/**
 * No resets: its transport does not hear of one that comes while the handshake ends, and only after half a minute
 * of silence does it try again.
 */
export const clientNodeInformer: FollowerKind = {
  start: startInformer,
  ways: ['end', 'in the middle'],
};

async function startInformer(t: TestScope, { url, ca, user }: Access): Promise<Follower> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig({ server: url, ca, user }));
  const api = config.makeApiClient(CustomObjectsApi);
  let beginnings = 0;
  let listed = false;
  const list = async (): Promise<KubernetesListObject<KubernetesObject>> => {
    beginnings += 1;
    const { group, version, plural: resourcePlural } = FLUNDERS;
    const all = await api.listCustomObjectForAllNamespaces({ group, version, resourcePlural });
    listed = true;
    return all;
  };
  const informer = makeInformer<KubernetesObject>(config, resourcePath(FLUNDERS, {}), list);
  const events: InformerEvent[] = [];
  for (const kind of ['add', 'update', 'delete'] as const) {
    informer.on(kind, (object) => {
      const { key, uid, version } = itemOf(readObject(object));
      events.push({ kind, key, uid, version });
    });
  }
  const synced = Promise.withResolvers<void>();
  const complaints: string[] = [];
  let stopped = false;
  const start = async (): Promise<void> => {
    try {
      await informer.start();
      if (listed) synced.resolve();
    } catch (error) {
      complaints.push(`it could not be started: ${String(error)}`);
    }
  };
  let starting: Promise<void> | undefined;
  informer.on('error', () => {
    starting = sleep(POLL_MS).then(() => (stopped ? undefined : start()));
  });
  starting = start();
  defer(t, async () => {
    stopped = true;
    await informer.stop();
    await starting;
  });
  return {
    name: '@kubernetes/client-node',
    part: 'whole',
    events,
    get beginnings() {
      return beginnings;
    },
    replacesByUpdate: true,
    complaints,
    whenSynced: () => synced.promise,
    store: async () => informer.list().map((object) => itemOf(readObject(object))),
  };
}

/** Plain JSON, whatever the types say. Items of a list need not say what they are, and are left as they came. */
function readObject(object: object): KubeObject {
  return { ...(object as KubeObject), apiVersion: API_VERSION, kind: KIND };
}
