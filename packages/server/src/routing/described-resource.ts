import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock, Storage } from '@tributary/storage';
import { upgradeStored } from '../conversion/stored-versions.ts';
import { type VersionLenses, versionLenses } from '../conversion/version-converters.ts';
import { convertedView, storageView, type VersionView } from '../conversion/version-view.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { type ResourceDefinition, type StoredAs, subresourcesIn } from '../definition/resource.ts';
import type { VersionDefinition } from '../definition/version.ts';
import { bodyDecoder } from '../registry/body-decoder.ts';
import { definitionStrategy } from '../registry/definition-strategy.ts';
import type { KnownKinds, OtherKind } from '../registry/known-kinds.ts';
import type { NamespaceGuard } from '../registry/namespace-guard.ts';
import type { Identity } from '../registry/object-metadata.ts';
import {
  type SelectableVersion,
  selectableFieldsOf,
  selectableKey,
} from '../registry/selectable-fields.ts';
import { settleStored } from '../registry/settle-stored.ts';
import type { Strategy } from '../registry/strategy.ts';
import type { AnswerSettings } from '../representation/answer-settings.ts';
import type { ServedResource } from '../representation/served-resource.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { JudgingThread } from '../validation/validate-context.ts';
import type { WatchSettings } from '../verbs/watch.ts';
import type { CachedResource } from '../watch-cache/types.ts';
import type { WatchCaches } from '../watch-cache/watch-caches.ts';

/** A definition with what follows from it, whichever version is asked for. */
export interface Described {
  readonly group: string;
  readonly definition: ResourceDefinition;
  /** What is made of objects of the store, or of those that lenses show. */
  readonly views: ReadonlyMap<string, VersionView>;
  /** Of a resource that is judged in the version in which it is sent. */
  readonly lenses: VersionLenses | undefined;
  /** In the stored version. */
  readonly strategy: Strategy;
  readonly others: KnownKinds;
}

export function describe(
  group: string,
  definition: ResourceDefinition,
  {
    others,
    closing,
    toldPrefix,
    reportsErrorsOnce,
  }: Pick<ApiDefinition, 'toldPrefix' | 'reportsErrorsOnce'> & {
    readonly others: KnownKinds;
    readonly closing: AbortSignal;
  },
): Described {
  const { judgesServed } = definition;
  const strategy = definitionStrategy(group, definition);
  const told = toldPrefix?.(definition.plural) ?? strategy.toldPrefix;
  return {
    group,
    definition,
    views: judgesServed ? new Map() : versionViews(group, definition),
    lenses: judgesServed ? versionLenses(group, definition, closing) : undefined,
    strategy: { ...strategy, toldPrefix: told, reportsErrorsOnce: reportsErrorsOnce ?? false },
    others,
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

/** What the cache must know of a resource, and of those that show its objects. */
export function cachedResource(
  described: Described,
  shownBy: readonly Described[],
): CachedResource {
  const { definition, views, lenses, strategy } = described;
  const { prefix, form, kind } = strategy;
  const selectable = [described, ...shownBy].flatMap(selectableVersions);
  const fieldsOf = selectableFieldsOf(selectable);
  const forms = lenses?.forms ?? new Map([[formatGroupVersion(kind), form]]);
  return {
    prefix,
    head: form.head,
    ...(lenses === undefined
      ? { upgrade: upgradeStored(kind, views, form) }
      : { otherHeads: [...forms.values()].slice(1).map(({ head }) => head) }),
    ...(definition.settlesStored && { settle: settleStored(definition, forms) }),
    ...(fieldsOf && { fieldsOf }),
    indexed: selectable.flatMap(({ apiVersion, paths }) =>
      paths.map((path) => selectableKey(apiVersion, path)),
    ),
  };
}

function selectableVersions({
  definition,
  views,
  lenses,
  strategy,
}: Described): SelectableVersion[] {
  const { group } = strategy.resource;
  return [...definition.versions].map(([version, { selectableFields, selectableValues }]) => {
    const apiVersion = formatGroupVersion({ group, version });
    const view = views.get(version) ?? storageView;
    return {
      apiVersion,
      paths: selectableFields,
      values: selectableValues,
      shown: (stored) =>
        lenses === undefined ? view.fromStorage(stored) : lenses.convertNow(stored, apiVersion),
    };
  });
}

/** One of its versions that clients can ask for. */
export function servedVersion(
  described: Described,
  [name, version]: readonly [string, VersionDefinition],
  { authorize, answers, judging }: Pick<Surroundings, 'authorize' | 'answers' | 'judging'>,
): ServedResource {
  const { definition, views, lenses, strategy, others } = described;
  const { resource, namespaced } = strategy;
  const kind = { group: resource.group, version: name, kind: definition.kind };
  return {
    definition,
    version,
    kind,
    resource,
    apiVersion: formatGroupVersion(kind),
    namespaced,
    view: views.get(name) ?? storageView,
    // Where there is one version, every object is of it.
    lens: definition.versions.size > 1 ? lenses?.of(name) : undefined,
    authorize,
    ...(answers && { answers }),
    judging,
    decode: bodyDecoder({
      kind,
      schema: version.schema,
      namespaced,
      others,
      hasSeparateStatus: subresourcesIn(definition, name).status,
      custom: definition.custom,
      judging,
      applyDefaults: version.hooks.applyDefaults,
    }),
  };
}

export function clientVersions({ versions }: ResourceDefinition): [string, VersionDefinition][] {
  return [...versions].filter(([, { served }]) => served);
}

export function onlyServed<Endpoint>(
  { verbs }: ResourceDefinition,
  possible: ReadonlyMap<ResourceDefinition['verbs'][number], Endpoint>,
): ReadonlyMap<ResourceDefinition['verbs'][number], Endpoint> {
  return new Map([...possible].filter(([verb]) => verbs.includes(verb)));
}

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
  /** Where objects are judged that take long. Default: nowhere, whatever it takes. */
  readonly judging?: JudgingThread;
}

/** Somebody else, or the resource of this server that its namespaces are. */
export type NamespaceSource = NamespaceGuard | ResourceDefinition;
