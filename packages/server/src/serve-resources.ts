import { randomInt, randomUUID } from 'node:crypto';
import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock, Revision, Storage } from '@tributary/storage';
import type { ApiDefinition } from './api.ts';
import type { AdmissionRules } from './definition/admission.ts';
import type { ComputedHome } from './definition/home.ts';
import type { StoredAs } from './definition/lifecycle.ts';
import type { Authorizer } from './filters/authorization.ts';
import { ruleAdmission } from './registry/admission.ts';
import { bodyDecoder } from './registry/body-decoder.ts';
import {
  definitionStrategy,
  partStrategy,
  statusStrategy,
} from './registry/definition-strategy.ts';
import { bookmarkObject } from './registry/empty-object.ts';
import { type KnownKinds, knownKinds, type OtherKind } from './registry/known-kinds.ts';
import { type NamespaceGuard, storedNamespaces } from './registry/namespace-guard.ts';
import type { Identity } from './registry/object-metadata.ts';
import { ReadableResources } from './registry/reads.ts';
import { requireValid } from './registry/require-valid.ts';
import { ResourceStore } from './registry/resource-store.ts';
import {
  type SelectableVersion,
  selectableFieldsOf,
  selectableKey,
} from './registry/selectable-fields.ts';
import { servedOwnership } from './registry/served-ownership.ts';
import { upgradeStored } from './registry/stored-versions.ts';
import type { Strategy } from './registry/strategy.ts';
import type { AnswerSettings } from './representation/answer-settings.ts';
import { convertedView, storageView, type VersionView } from './representation/version-view.ts';
import type { ResourceDefinition } from './resource.ts';
import type { ResourceRoutes, ServedResource, StoredResource } from './served-resource.ts';
import { computedVerbs } from './verbs/computed.ts';
import { storedSubresources, storedVerbs } from './verbs/stored.ts';
import type { WatchSettings } from './verbs/watch.ts';
import type { CachedResource, WatchCache } from './watch-cache/types.ts';
import { openWatchCaches, type WatchCaches } from './watch-cache/watch-caches.ts';

export interface Surroundings {
  readonly storage: Storage;
  readonly caches: WatchCaches;
  readonly clock: Clock;
  readonly watch: WatchSettings;
  readonly authorize: Authorizer;
  /** Default: random and unpredictable. */
  readonly identity?: Identity;
  /** Who knows the namespaces, once all resources are there; without one, every name is a namespace. */
  readonly namespaces?: NamespaceSource | undefined;
  /** Kinds that are not served but known. */
  readonly otherKinds?: readonly OtherKind[] | undefined;
  readonly answers?: AnswerSettings;
}

/** Somebody else, or the resource of this server that its namespaces are. */
export type NamespaceSource = NamespaceGuard | ResourceDefinition;

export interface ServedApi {
  readonly routes: readonly ResourceRoutes[];
  /** Ends the watches of kinds that live in stores of their own, and closes those. */
  close(): Promise<void>;
}

/** Everything that APIs define, each resource in each of its versions, ready to be routed to. */
export function serveResources(
  apis: readonly ApiDefinition[],
  surroundings: Surroundings,
): ServedApi {
  const resources = new ReadableResources();
  const homes: OpenHome[] = [];
  const others = knownKinds(apis, surroundings.otherKinds);
  const all = apis.flatMap((api) =>
    api.resources.map((definition) => describe(api.group, definition, others)),
  );
  const kept = new Map<ResourceDefinition, KeptResource>();
  for (const described of all) {
    const { definition, strategy } = described;
    if (definition.livesIn?.kind === 'computed' || definition.storedAs) continue;
    const home = openHome(definition, strategy, surroundings);
    homes.push(home);
    const shownBy = all.filter((other) => other.definition.storedAs?.resource === definition);
    const cache = home.caches.cache(cachedResource(described, shownBy));
    resources.add(definition, cache);
    kept.set(definition, { strategy, cache, storage: home.storage });
  }
  const namespaces = guardOf(surroundings.namespaces, kept);
  const routes = all.flatMap((described) => {
    const { definition } = described;
    if (definition.livesIn?.kind === 'computed') {
      return computedRoutes(described, definition.livesIn, resources, surroundings);
    }
    const base = kept.get(definition.storedAs?.resource ?? definition);
    if (base === undefined) throw new Error(`${definition.kind}: nothing keeps what it shows`);
    const { storage, cache } = base;
    return storedRoutes(
      { ...described, strategy: strategyOver(base.strategy, described.strategy) },
      { ...surroundings, storage, cache, resources, guard: namespaces },
    );
  });
  return { routes, close: async () => void (await Promise.all(homes.map((home) => home.close()))) };
}

/** Where the objects of a resource are. */
interface KeptResource {
  readonly strategy: Strategy;
  readonly cache: WatchCache;
  readonly storage: Storage;
}

interface Described {
  readonly definition: ResourceDefinition;
  readonly views: ReadonlyMap<string, VersionView>;
  readonly strategy: Strategy;
  readonly others: KnownKinds;
}

function describe(group: string, definition: ResourceDefinition, others: KnownKinds): Described {
  return {
    definition,
    views: versionViews(group, definition),
    strategy: definitionStrategy(group, definition),
    others,
  };
}

/** What shows the objects of another resource is refused in its own name, and stored in the other's way. */
function strategyOver(kept: Strategy, own: Strategy): Strategy {
  return kept === own ? own : { ...kept, resource: own.resource };
}

function guardOf(
  source: NamespaceSource | undefined,
  kept: ReadonlyMap<ResourceDefinition, KeptResource>,
): NamespaceGuard | undefined {
  if (source === undefined || 'requireOpen' in source) return source;
  const home = kept.get(source);
  if (home === undefined) throw new Error(`${source.kind}: namespaces must be kept by this server`);
  const { cache, storage, strategy } = home;
  const { prefix, form } = strategy;
  return storedNamespaces(cache, { storage, prefix, decode: form.decode });
}

interface OpenHome {
  readonly storage: Storage;
  readonly caches: WatchCaches;
  close(): Promise<void>;
}

/** The server's store, unless the resource brings its own. */
function openHome(
  { livesIn }: ResourceDefinition,
  { prefix, namespaced, form }: Strategy,
  { storage, caches, clock }: Surroundings,
): OpenHome {
  if (livesIn?.kind !== 'storage') return { storage, caches, close: async () => {} };
  const own = livesIn.open({
    prefix,
    namespaced,
    clock,
    encode: (object) => form.encode(object),
    decode: (stored, revision) => form.decode(stored, revision),
  });
  const ownCaches = openWatchCaches(own, { clock });
  return {
    storage: own,
    caches: ownCaches,
    close: async () => {
      await ownCaches.close();
      await own.close();
    },
  };
}

function versionViews(group: string, definition: ResourceDefinition): Map<string, VersionView> {
  const { kind, storageVersion, versions, conversions, storedAs } = definition;
  if (storedAs) return new Map([[storageVersion, shownView({ group, definition }, storedAs)]]);
  const stored = { group, version: storageVersion, kind };
  const views = new Map<string, VersionView>();
  for (const version of versions.keys()) {
    const conversion = conversions.get(version);
    const served = { group, version, kind };
    views.set(
      version,
      conversion === undefined ? storageView : convertedView({ served, stored }, conversion),
    );
  }
  return views;
}

/** The objects of another resource, in this one's words. */
function shownView(
  { group, definition }: { group: string; definition: ResourceDefinition },
  { group: storedGroup, resource, conversion }: StoredAs,
): VersionView {
  const served = { group, version: definition.storageVersion, kind: definition.kind };
  const { storageVersion, kind } = resource;
  const stored = { group: storedGroup, version: storageVersion, kind };
  return convertedView({ served, stored }, conversion);
}

function cachedResource(described: Described, shownBy: readonly Described[]): CachedResource {
  const { views, strategy } = described;
  const { prefix, form, kind } = strategy;
  const selectable = [described, ...shownBy].flatMap(selectableVersions);
  const fieldsOf = selectableFieldsOf(selectable);
  return {
    prefix,
    head: form.head,
    upgrade: upgradeStored(kind, views, form),
    ...(fieldsOf && { fieldsOf }),
    indexed: selectable.flatMap(({ apiVersion, paths }) =>
      paths.map((path) => selectableKey(apiVersion, path)),
    ),
  };
}

function selectableVersions({ definition, views, strategy }: Described): SelectableVersion[] {
  const { group } = strategy.resource;
  return [...definition.versions].map(([version, { selectableFields, selectableValues }]) => ({
    apiVersion: formatGroupVersion({ group, version }),
    paths: selectableFields,
    values: selectableValues,
    view: views.get(version) ?? storageView,
  }));
}

function storedRoutes(
  described: Described,
  home: Surroundings & {
    cache: WatchCache;
    resources: ReadableResources;
    guard: NamespaceGuard | undefined;
  },
): ResourceRoutes[] {
  const { definition, strategy } = described;
  const { storage, cache, resources, identity = systemIdentity } = home;
  const isValid = requireValid(strategy.resource.group, definition);
  const storeOf = (part: Strategy, subresource: string, rules: AdmissionRules) =>
    new ResourceStore({
      storage,
      cache,
      strategy: part,
      identity,
      admission: ruleAdmission(rules, {
        resource: strategy.resource,
        subresource,
        reader: (signal) => resources.reader(signal),
        requireValid: isValid,
      }),
      namespaces: home.guard,
    });
  const store = storeOf(strategy, '', definition.admit);
  const stores = new Map([
    ['status', storeOf(statusStrategy(strategy, definition), 'status', definition.admit)],
  ]);
  for (const [name, part] of definition.subresources.custom) {
    if (part.type !== 'part') continue;
    const rules = part.admit ? { update: part.admit } : {};
    stores.set(name, storeOf(partStrategy(strategy, part), name, rules));
  }
  return servedVersions(described, home).map((base) => {
    const ownershipOf = (subresource: string) =>
      servedOwnership(base, described.views, { subresource, nowMs: identity.nowMs });
    const served: StoredResource = {
      ...base,
      store,
      cache,
      bookmark: bookmarkObject(base.kind, base.version),
      ownership: ownershipOf(''),
      requireValid: isValid,
    };
    const partOf = (name: string) => ({
      store: stores.get(name) ?? store,
      ownership: ownershipOf(name),
    });
    return {
      served,
      verbs: onlyServed(definition, storedVerbs(served, home.watch)),
      subresources: storedSubresources(served, {
        partOf,
        resources,
        nowMs: identity.nowMs,
        others: described.others,
      }),
    };
  });
}

function computedRoutes(
  described: Described,
  home: ComputedHome,
  resources: ReadableResources,
  surroundings: Surroundings,
): ResourceRoutes[] {
  const { form } = described.strategy;
  const { storage, identity = systemIdentity } = surroundings;
  const revision = (signal: AbortSignal): Promise<Revision> => storage.currentRevision({ signal });
  return servedVersions(described, surroundings).map((served) => {
    const of = { subresource: '', nowMs: identity.nowMs };
    const ownership = servedOwnership(served, described.views, of);
    return {
      served,
      verbs: onlyServed(
        described.definition,
        computedVerbs(served, home, { form, resources, revision, ownership }),
      ),
      subresources: new Map(),
    };
  });
}

function onlyServed<Endpoint>(
  { verbs }: ResourceDefinition,
  possible: ReadonlyMap<ResourceDefinition['verbs'][number], Endpoint>,
): ReadonlyMap<ResourceDefinition['verbs'][number], Endpoint> {
  return new Map([...possible].filter(([verb]) => verbs.includes(verb)));
}

function servedVersions(
  { definition, views, strategy, others }: Described,
  { authorize, answers }: Surroundings,
): ServedResource[] {
  const { resource, namespaced } = strategy;
  return [...definition.versions].map(([name, version]) => {
    const kind = { group: resource.group, version: name, kind: definition.kind };
    return {
      definition,
      version,
      kind,
      resource,
      apiVersion: formatGroupVersion(kind),
      namespaced,
      view: views.get(name) ?? storageView,
      authorize,
      ...(answers && { answers }),
      decode: bodyDecoder({
        kind,
        schema: version.schema,
        namespaced,
        others,
        hasSeparateStatus: definition.subresources.status,
        applyDefaults: version.hooks.applyDefaults,
      }),
    };
  });
}

/** Letters and digits that cannot form a word, as upstream has them. */
const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export const systemIdentity: Identity = {
  uid: randomUUID,
  nameSuffix: () =>
    Array.from({ length: 5 }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join(''),
  nowMs: () => Date.now(),
};
