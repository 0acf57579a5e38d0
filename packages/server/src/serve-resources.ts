import { randomInt, randomUUID } from 'node:crypto';
import { formatGroupVersion, type GroupVersionKind } from '@tributary/apimachinery';
import type { Storage } from '@tributary/storage';
import type { ApiDefinition } from './api.ts';
import type { VersionDefinition } from './definition/version.ts';
import { bodyDecoder } from './registry/body-decoder.ts';
import { definitionStrategy } from './registry/definition-strategy.ts';
import type { Identity } from './registry/object-metadata.ts';
import { ResourceStore } from './registry/resource-store.ts';
import { storageView } from './representation/version-view.ts';
import type { ResourceDefinition } from './resource.ts';
import type { ServedResource } from './served-resource.ts';
import type { WatchCaches } from './watch-cache/watch-caches.ts';

/** Everything an API defines, each resource in each of its versions, ready to be routed to. */
export function serveResources(
  api: ApiDefinition,
  storage: Storage,
  caches: WatchCaches,
): ServedResource[] {
  return api.resources.flatMap((definition) =>
    [...definition.versions].map(([name, version]) =>
      serveVersion({ api, definition, name, version, storage, caches }),
    ),
  );
}

function serveVersion(options: {
  api: ApiDefinition;
  definition: ResourceDefinition;
  name: string;
  version: VersionDefinition;
  storage: Storage;
  caches: WatchCaches;
}): ServedResource {
  const { api, definition, name, version, storage, caches } = options;
  const kind = { group: api.group, version: name, kind: definition.kind };
  const strategy = definitionStrategy(api.group, definition, version);
  const cache = caches.cache({ prefix: strategy.prefix, head: strategy.form.head });
  const namespaced = definition.scope === 'Namespaced';
  return {
    definition,
    version,
    kind,
    resource: strategy.resource,
    apiVersion: formatGroupVersion(kind),
    namespaced,
    cache,
    view: storageView,
    bookmark: emptyObject(kind, version),
    store: new ResourceStore({ storage, cache, strategy, identity: systemIdentity }),
    decode: bodyDecoder({
      kind,
      schema: version.schema,
      namespaced,
      applyDefaults: version.hooks.applyDefaults,
    }),
  };
}

/** An object of which nothing was said: what a kind always writes is in it, and an author's rules may refuse it. */
function emptyObject(kind: GroupVersionKind, version: VersionDefinition): object {
  const bare = () => ({ kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: {} });
  const object = bare();
  try {
    version.hooks.applyDefaults(object);
    return object;
  } catch {
    // Defaults are written for objects that the schema has accepted; this one it has not.
    return bare();
  }
}

/** Letters and digits that cannot form a word, as upstream has them. */
const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

const systemIdentity: Identity = {
  uid: randomUUID,
  nameSuffix: () =>
    Array.from({ length: 5 }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join(''),
  nowMs: () => Date.now(),
};
