import { forbidden, type GroupResource, type KubeObject, notFound } from '@tributary/apimachinery';
import type { KeyRevision, Storage } from '@tributary/storage';
import type { WatchCache } from '../watch-cache/types.ts';

/** What is about to be created, and where. */
export interface NewPlace {
  readonly namespace: string;
  readonly resource: GroupResource;
  /** Or what stands for it while it has none. */
  readonly name: string;
}

/** Who knows the namespaces: nothing is created in one that is missing or going away. */
export interface NamespaceGuard {
  /**
   * Throws what a client is told whose namespace takes nothing. Otherwise the answer is what must still hold when the
   * object is written; absent where namespaces live in another store, and a check is all there can be.
   */
  requireOpen(
    place: NewPlace,
    options: {
      readonly signal: AbortSignal;
      /** What was known a moment ago was wrong. */
      readonly fresh: boolean;
    },
  ): Promise<KeyRevision | undefined>;
}

/** A Namespace as far as this matters. */
export type NamespaceState = KubeObject & { readonly status?: { readonly phase?: string } };

/** Namespaces of the same store: an object and the state of its namespace are decided in one commit. */
export function storedNamespaces(
  cache: WatchCache,
  { storage, prefix, decode }: StoredNamespaces,
): NamespaceGuard {
  const live = async (namespace: string, signal: AbortSignal) => {
    const stored = await storage.get(prefix + namespace, { signal });
    return stored && { object: decode(stored.value, stored.revision), revision: stored.revision };
  };
  return {
    requireOpen: async (place, { signal, fresh }) => {
      const { namespace } = place;
      const cached = fresh ? undefined : await cache.get(namespace, { kind: 'any' }, { signal });
      const seen = cached && { object: cached.object(), revision: cached.revision };
      // The cache may be behind by the moment in which the namespace came to be, or was deleted.
      const found = seen && isOpenNamespace(seen.object) ? seen : await live(namespace, signal);
      requireOpenNamespace(found?.object, place);
      return found && { key: prefix + namespace, revision: found.revision };
    },
  };
}

export interface StoredNamespaces {
  readonly storage: Storage;
  readonly prefix: string;
  readonly decode: (value: Uint8Array, revision: KeyRevision['revision']) => KubeObject;
}

export function requireOpenNamespace(found: NamespaceState | undefined, place: NewPlace): void {
  const { namespace, resource, name } = place;
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if (isOpenNamespace(found)) return;
  throw forbidden(
    resource,
    name || 'Unknown',
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}

export function isOpenNamespace({ metadata, status }: NamespaceState): boolean {
  return status?.phase !== 'Terminating' && !metadata.deletionTimestamp;
}
