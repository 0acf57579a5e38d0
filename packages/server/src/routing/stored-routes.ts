import type { Storage } from '@tributary/storage';
import type { AdmissionRules } from '../definition/admission.ts';
import type { VersionDefinition } from '../definition/version.ts';
import { ruleAdmission } from '../registry/admission.ts';
import { asIsStrategy, partStrategy, statusStrategy } from '../registry/definition-strategy.ts';
import { bookmarkObject } from '../registry/empty-object.ts';
import type { NamespaceGuard } from '../registry/namespace-guard.ts';
import { systemIdentity } from '../registry/object-metadata.ts';
import type { ReadableResources } from '../registry/reads.ts';
import { requireValid } from '../registry/require-valid.ts';
import { ResourceStore } from '../registry/resource-store.ts';
import { ConvertingOwnership, servedOwnership } from '../registry/served-ownership.ts';
import { servedStrategies } from '../registry/served-strategy.ts';
import { convertingCodec, plainCodec, type StoreCodec } from '../registry/store-codec.ts';
import type { Strategy } from '../registry/strategy.ts';
import { formsMadeOf } from '../representation/forms.ts';
import type { ResourceRoutes, StoredResource } from '../representation/served-resource.ts';
import { storedSubresources, storedVerbs } from '../verbs/stored.ts';
import type { CachedResource, WatchCache } from '../watch-cache/types.ts';
import {
  clientVersions,
  type DescribeDependencies,
  type Described,
  onlyServed,
  servedVersion,
} from './described-resource.ts';
import type { RouteEntry } from './route-table.ts';

/** The store and cache of a resource, with the dependencies of its verbs. */
interface StoredDependencies extends DescribeDependencies {
  readonly storage: Storage;
  readonly cache: WatchCache;
  readonly shape: CachedResource;
  readonly resources: ReadableResources;
  readonly guard: NamespaceGuard | undefined;
}

/** The endpoints of a stored resource, made with the first request. */
export function storedRoutes(described: Described, dependencies: StoredDependencies): RouteEntry[] {
  const { definition, group } = described;
  const shared = once(() => storesOf(described, dependencies));
  return clientVersions(definition).map(([version, defined]) => {
    let made: ResourceRoutes | undefined;
    const make = () => {
      const stores = definition.validatesServedVersion
        ? storesIn(version, described, dependencies)
        : shared();
      return routesOf(described, [version, defined], { ...dependencies, stores });
    };
    return {
      group,
      version,
      resource: definition.plural,
      cache: dependencies.cache,
      routes: () => {
        made ??= make();
        return made;
      },
      release: () => {
        if (made !== undefined) dependencies.responses?.listBodies.forget(formsMadeOf(made.served));
      },
    };
  });
}

/** The stores for writes of the whole object, its status and its other parts. */
interface Stores {
  readonly whole: ResourceStore;
  readonly parts: ReadonlyMap<string, ResourceStore>;
  readonly requireValid: StoredResource['requireValid'];
}

/** All versions write through the same stores, in the storage version. */
function storesOf(described: Described, dependencies: StoredDependencies): Stores {
  const { definition, strategy } = described;
  return makeStores(described, dependencies, {
    whole: strategy,
    status: statusStrategy(strategy, definition),
    codec: plainCodec(strategy.form, dependencies.shape),
    requireValid: requireValid(strategy.resource.group, definition),
  });
}

/** Each version writes in its own representation. */
function storesIn(version: string, described: Described, dependencies: StoredDependencies): Stores {
  const { definition, group, converters, strategy } = described;
  const { form } = strategy;
  const converter = definition.versions.size > 1 ? converters?.of(version) : undefined;
  return makeStores(described, dependencies, {
    ...servedStrategies(group, definition, version),
    codec:
      converter === undefined
        ? plainCodec(form, dependencies.shape)
        : convertingCodec(converter, form, dependencies.shape),
    // The strategy validates every write.
    requireValid: () => {},
  });
}

function makeStores(
  { definition }: Described,
  {
    storage,
    cache,
    identity = systemIdentity,
    resources,
    guard,
    validationThread,
  }: StoredDependencies,
  parts: {
    readonly whole: Strategy;
    readonly status: Strategy;
    readonly codec: StoreCodec;
    readonly requireValid: StoredResource['requireValid'];
  },
): Stores {
  const { codec, requireValid } = parts;
  const storeOf = (strategy: Strategy, subresource: string, rules: AdmissionRules) =>
    new ResourceStore({
      storage,
      cache,
      strategy,
      codec,
      identity,
      admission: ruleAdmission(rules, {
        resource: strategy.resource,
        subresource,
        reader: (signal) => resources.reader(signal),
        requireValid,
      }),
      namespaces: guard,
      validationThread,
    });
  const stores = new Map([['status', storeOf(parts.status, 'status', definition.admit)]]);
  for (const [name, part] of definition.subresources.custom) {
    if (part.type === 'action' && part.writesAsIs) {
      stores.set(name, storeOf(asIsStrategy(parts.whole), name, {}));
    }
    if (part.type !== 'part') continue;
    const rules = part.admit ? { update: part.admit } : {};
    stores.set(name, storeOf(partStrategy(parts.whole, part), name, rules));
  }
  return { whole: storeOf(parts.whole, '', definition.admit), parts: stores, requireValid };
}

function routesOf(
  described: Described,
  version: readonly [string, VersionDefinition],
  dependencies: StoredDependencies & { readonly stores: Stores },
): ResourceRoutes {
  const { definition, views, converters, others } = described;
  const { stores, cache, resources, identity = systemIdentity } = dependencies;
  const base = servedVersion(described, version, dependencies);
  const ownershipOf = (subresource: string) => {
    const options = { subresource, nowMs: identity.nowMs };
    return converters === undefined
      ? servedOwnership(base, views, options)
      : new ConvertingOwnership(base, converters, options);
  };
  const served: StoredResource = {
    ...base,
    store: stores.whole,
    cache,
    bookmark: bookmarkObject(base.kind, base.version),
    ownership: ownershipOf(''),
    requireValid: stores.requireValid,
  };
  const partOf = (name: string) => ({
    store: stores.parts.get(name) ?? stores.whole,
    ownership: ownershipOf(name),
  });
  return {
    served,
    verbs: onlyServed(definition, storedVerbs(served, dependencies.watch)),
    subresources: storedSubresources(served, { partOf, resources, nowMs: identity.nowMs, others }),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
