import { randomInt, randomUUID } from 'node:crypto';
import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock, Revision, Storage } from '@tributary/storage';
import type { ApiDefinition } from './api.ts';
import type { ComputedHome } from './definition/home.ts';
import type { Authorizer } from './filters/authorization.ts';
import { ruleAdmission } from './registry/admission.ts';
import { bodyDecoder } from './registry/body-decoder.ts';
import { definitionStrategy, statusStrategy } from './registry/definition-strategy.ts';
import { emptyObject, untouched } from './registry/empty-object.ts';
import { fieldOwnership, ownedKind } from './registry/field-ownership.ts';
import { type KnownKinds, knownKinds } from './registry/known-kinds.ts';
import type { Identity } from './registry/object-metadata.ts';
import { ReadableResources } from './registry/reads.ts';
import { requireValid } from './registry/require-valid.ts';
import { ResourceStore } from './registry/resource-store.ts';
import { selectableFieldsOf, selectableKey } from './registry/selectable-fields.ts';
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
  readonly answers?: AnswerSettings;
}

export interface ServedApi {
  readonly routes: readonly ResourceRoutes[];
  /** Ends the watches of kinds that live in stores of their own, and closes those. */
  close(): Promise<void>;
}

/** Everything an API defines, each resource in each of its versions, ready to be routed to. */
export function serveResources(api: ApiDefinition, surroundings: Surroundings): ServedApi {
  const resources = new ReadableResources();
  const homes: OpenHome[] = [];
  const others = knownKinds(api);
  const routes = api.resources.flatMap((definition) => {
    const { livesIn } = definition;
    const views = versionViews(api.group, definition);
    const strategy = definitionStrategy(api.group, definition);
    if (livesIn?.kind === 'computed') {
      return computedRoutes(
        { definition, views, strategy, others },
        livesIn,
        resources,
        surroundings,
      );
    }
    const home = openHome(definition, strategy, surroundings);
    homes.push(home);
    const cache = home.caches.cache(cachedResource(definition, views, strategy));
    resources.add(definition, cache);
    return storedRoutes(
      { definition, views, strategy, others },
      { ...surroundings, storage: home.storage, cache, resources },
    );
  });
  return { routes, close: async () => void (await Promise.all(homes.map((home) => home.close()))) };
}

interface Described {
  readonly definition: ResourceDefinition;
  readonly views: ReadonlyMap<string, VersionView>;
  readonly strategy: Strategy;
  readonly others: KnownKinds;
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
  const { kind, storageVersion, versions, conversions } = definition;
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

function cachedResource(
  { versions }: ResourceDefinition,
  views: ReadonlyMap<string, VersionView>,
  { prefix, form, kind }: Strategy,
): CachedResource {
  const selectable = [...versions].map(([version, { selectableFields }]) => ({
    version,
    paths: selectableFields,
    view: views.get(version) ?? storageView,
  }));
  const fieldsOf = selectableFieldsOf(selectable);
  return {
    prefix,
    head: form.head,
    upgrade: upgradeStored(kind, views, form),
    ...(fieldsOf && { fieldsOf }),
    indexed: selectable.flatMap(({ version, paths }) =>
      paths.map((path) => selectableKey(version, path)),
    ),
  };
}

function storedRoutes(
  described: Described,
  home: Surroundings & { cache: WatchCache; resources: ReadableResources },
): ResourceRoutes[] {
  const { definition, strategy } = described;
  const { storage, cache, resources, identity = systemIdentity } = home;
  const isValid = requireValid(strategy.resource.group, definition);
  const storeOf = (part: Strategy, subresource: string) =>
    new ResourceStore({
      storage,
      cache,
      strategy: part,
      identity,
      admission: ruleAdmission(definition.admit, {
        resource: strategy.resource,
        subresource,
        reader: (signal) => resources.reader(signal),
        requireValid: isValid,
      }),
    });
  const store = storeOf(strategy, '');
  const statusStore = storeOf(statusStrategy(strategy), 'status');
  return servedVersions(described, home).map((base) => {
    const empty = emptyObject(base.kind, base.version);
    const ownershipOf = (subresource: '' | 'status') =>
      fieldOwnership({
        kind: base.kind,
        subresource,
        view: base.view,
        empty: untouched(empty),
        owned: ownedKind(base.kind, definition, described.views, {
          apiVersion: base.apiVersion,
          subresource,
        }),
        nowMs: identity.nowMs,
      });
    const served: StoredResource = {
      ...base,
      store,
      cache,
      bookmark: empty,
      ownership: ownershipOf(''),
      requireValid: isValid,
    };
    const statusPart = { store: statusStore, ownership: ownershipOf('status') };
    return {
      served,
      verbs: onlyServed(definition, storedVerbs(served, home.watch)),
      subresources: storedSubresources(served, { statusPart, resources, nowMs: identity.nowMs }),
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
  const revision = (signal: AbortSignal): Promise<Revision> =>
    surroundings.storage.currentRevision({ signal });
  return servedVersions(described, surroundings).map((served) => ({
    served,
    verbs: onlyServed(
      described.definition,
      computedVerbs(served, home, { form, resources, revision }),
    ),
    subresources: new Map(),
  }));
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
