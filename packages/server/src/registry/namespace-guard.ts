import { forbidden, type GroupResource, type KubeObject, notFound } from '@tributary/apimachinery';
import type { KeyRevision, Storage } from '@tributary/storage';
import type { WatchCache } from '../watch-cache/types.ts';

/** The namespace, resource and name of an object that is about to be created. */
interface NewPlace {
  readonly namespace: string;
  readonly resource: GroupResource;
  /** The name, or `generateName` without one. */
  readonly name: string;
}

/** Refuses creates in namespaces that are missing or being deleted. */
export interface NamespaceGuard {
  /**
   * Throws when the namespace is missing or terminating. Returns the revision of the Namespace, which the commit
   * requires; undefined for namespaces of another store, which can only be checked.
   */
  requireOpen(
    place: NewPlace,
    options: {
      readonly signal: AbortSignal;
      /** The cached Namespace was outdated. */
      readonly fresh: boolean;
    },
  ): Promise<KeyRevision | undefined>;
}

/** The fields of a Namespace that decide whether it is open. */
export type NamespaceState = KubeObject & { readonly status?: { readonly phase?: string } };

/** Namespaces of the same store: the object and the state of its namespace are checked in one commit. */
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
      // The cache may not have the creation or deletion of the namespace yet.
      const found = seen && isOpenNamespace(seen.object) ? seen : await live(namespace, signal);
      requireOpenNamespace(found?.object, place);
      return found && { key: prefix + namespace, revision: found.revision };
    },
  };
}

interface StoredNamespaces {
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
