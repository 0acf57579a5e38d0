/** Reads what is there when a run on namespaces is over. */
import { openSqliteStorage } from '@tributary/storage-sqlite';
import type { CoreFollower } from './core-follower.ts';
import { CORE_KINDS, collectionOf, NAMESPACES_PATH, readObject } from './core-objects.ts';
import type { NamespaceHistory } from './namespace-history.ts';
import { type NamespaceRun, withClient } from './namespace-run.ts';

/** They are there before a run, and not its business. */
const SYSTEM = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);
const FENCE = 'fence';
const STORED_PAGE = 500;

export function isOfRun(namespace: string): boolean {
  return !SYSTEM.has(namespace);
}

/** A last event for each watcher: when it has seen that, nothing earlier can be on its way to it. */
export async function seeEnd(
  run: NamespaceRun,
  followers: { readonly namespaces: CoreFollower; readonly objects: readonly CoreFollower[] },
): Promise<void> {
  await withClient(run.target, 'last', async (client) => {
    await run.makeNamespace(client, FENCE);
    const { body } = await client.send('GET', `${NAMESPACES_PATH}/${FENCE}`);
    await followers.namespaces.reaches(readObject('namespaces', body).revision);
    for (const kind of CORE_KINDS) {
      const isMade = await run.create(client, kind, { namespace: FENCE, name: FENCE });
      if (!isMade) throw new Error(`the last write of ${kind.plural} failed`);
      const follower = followers.objects.find(({ plural }) => plural === kind.plural);
      await follower?.reaches(run.creates.at(-1)?.revision ?? 0);
    }
  });
}

/** Through the API. */
export async function listEnd(
  run: NamespaceRun,
): Promise<Omit<NamespaceHistory['final'], 'storedKeys'>> {
  return withClient(run.target, 'last', async (client) => {
    const { items } = await run.list(client, NAMESPACES_PATH);
    const namespaces = items.map((item) => readObject('namespaces', item));
    const objects: NamespaceHistory['final']['objects'][number][] = [];
    const readAt: Record<string, number> = {};
    for (const kind of CORE_KINDS) {
      const list = await run.list(client, collectionOf(kind));
      readAt[kind.plural] = list.revision;
      for (const item of list.items) objects.push(readObject(kind.plural, item));
    }
    return {
      readAt,
      namespaces: namespaces.filter(({ name }) => isOfRun(name)),
      objects: objects.filter(({ namespace }) => isOfRun(namespace)),
    };
  });
}

/** Every key of the store, without the server. */
export async function storedKeys(directory: string): Promise<string[]> {
  await using storage = await openSqliteStorage({ directory });
  const keys: string[] = [];
  for (;;) {
    const after = keys.at(-1);
    const page = await storage.list('/registry/', {
      limit: STORED_PAGE,
      ...(after !== undefined && { after }),
    });
    for (const { key } of page.items) keys.push(key);
    if (page.remaining === 0) return keys;
  }
}
