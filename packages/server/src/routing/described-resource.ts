import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock, Storage } from '@tributary/storage';
import { upgradeStored } from '../conversion/stored-versions.ts';
import { type VersionConverters, versionConverters } from '../conversion/version-converters.ts';
import { convertedView, storageView, type VersionView } from '../conversion/version-view.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { type ResourceDefinition, type StoredAs, subresourcesIn } from '../definition/resource.ts';
import type { VersionDefinition } from '../definition/version.ts';
import { BodyDecoder } from '../registry/body-decoder.ts';
import { definitionStrategy } from '../registry/definition-strategy.ts';
import type { KnownKinds, OtherKind } from '../registry/known-kinds.ts';
import type { NamespaceGuard } from '../registry/namespace-guard.ts';
import type { Identity } from '../registry/object-metadata.ts';
import { pruneAndDefault } from '../registry/prune-and-default.ts';
import {
  type SelectableVersion,
  selectableFieldsOf,
  selectableKey,
} from '../registry/selectable-fields.ts';
import type { Strategy } from '../registry/strategy.ts';
import type { ResponseSettings } from '../representation/response-settings.ts';
import type { ServedResource } from '../representation/served-resource.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { ValidationThread } from '../validation/validate-context.ts';
import type { WatchSettings } from '../verbs/watch.ts';
import type { CachedResource } from '../watch-cache/types.ts';
import type { WatchCaches } from '../watch-cache/watch-caches.ts';

/** A definition with everything derived from it that is common to its versions. */
export interface Described {
  readonly group: string;
  readonly definition: ResourceDefinition;
  /** Views over stored objects, or over objects that a converter has converted. */
  readonly views: ReadonlyMap<string, VersionView>;
  /** Only for resources that are validated in the version of the request. */
  readonly converters: VersionConverters | undefined;
  /** Works in the stored version. */
  readonly strategy: Strategy;
  readonly others: KnownKinds;
}

export function describe(
  group: string,
  definition: ResourceDefinition,
  {
    others,
    closing,
    errorKeyPrefix,
    reportsErrorsOnce,
  }: Pick<ApiDefinition, 'errorKeyPrefix' | 'reportsErrorsOnce'> & {
    readonly others: KnownKinds;
    readonly closing: AbortSignal;
  },
): Described {
  const { validatesServedVersion } = definition;
  const strategy = definitionStrategy(group, definition);
  const keyPrefix = errorKeyPrefix?.(definition.plural) ?? strategy.errorKeyPrefix;
  return {
    group,
    definition,
    views: validatesServedVersion ? new Map() : versionViews(group, definition),
    converters: validatesServedVersion ? versionConverters(group, definition, closing) : undefined,
    strategy: {
      ...strategy,
      errorKeyPrefix: keyPrefix,
      reportsErrorsOnce: reportsErrorsOnce ?? false,
    },
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

/** A view of another resource's objects in the kind of this one. */
function shownView(
  { group, definition }: { group: string; definition: ResourceDefinition },
  { group: storedGroup, resource, conversion }: StoredAs,
): VersionView {
  const served = { group, version: definition.storageVersion, kind: definition.kind };
  const { storageVersion, kind } = resource;
  const stored = { group: storedGroup, version: storageVersion, kind };
  return convertedView({ served, stored }, conversion);
}

/**
 * The selectable fields and versions that the cache of a resource has to know, including those of resources that share
 * its objects.
 */
export function cachedResource(
  described: Described,
  shownBy: readonly Described[],
): CachedResource {
  const { definition, views, converters, strategy } = described;
  const { prefix, form, kind } = strategy;
  const selectable = [described, ...shownBy].flatMap(selectableVersions);
  const fieldsOf = selectableFieldsOf(selectable);
  const forms = converters?.forms ?? new Map([[formatGroupVersion(kind), form]]);
  return {
    prefix,
    head: form.head,
    ...(converters === undefined
      ? { upgrade: upgradeStored(kind, views, form) }
      : { otherHeads: [...forms.values()].slice(1).map(({ head }) => head) }),
    ...(definition.defaultsStored && { pruneAndDefault: pruneAndDefault(definition, forms) }),
    ...(fieldsOf && { fieldsOf }),
    indexed: selectable.flatMap(({ apiVersion, paths }) =>
      paths.map((path) => selectableKey(apiVersion, path)),
    ),
  };
}

function selectableVersions({
  definition,
  views,
  converters,
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
        converters === undefined
          ? view.fromStorage(stored)
          : converters.convertNow(stored, apiVersion),
    };
  });
}

/** One served version of a resource. */
export function servedVersion(
  described: Described,
  [name, version]: readonly [string, VersionDefinition],
  {
    authorize,
    responses,
    validationThread,
  }: Pick<DescribeDependencies, 'authorize' | 'responses' | 'validationThread'>,
): ServedResource {
  const { definition, views, converters, strategy, others } = described;
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
    // With a single version every object is already in it.
    converter: definition.versions.size > 1 ? converters?.of(name) : undefined,
    authorize,
    ...(responses && { responses }),
    validationThread,
    decode: new BodyDecoder({
      kind,
      schema: version.schema,
      namespaced,
      others,
      hasSeparateStatus: subresourcesIn(definition, name).status,
      custom: definition.custom,
      validationThread,
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

export interface DescribeDependencies {
  readonly storage: Storage;
  readonly caches: WatchCaches;
  readonly clock: Clock;
  readonly watch: WatchSettings;
  readonly authorize: Authorizer;
  /** Default: random UIDs and the system clock. */
  readonly identity?: Identity;
  /** The source of namespaces once all resources are defined; without one, every namespace exists. */
  readonly namespaces?: NamespaceSource | undefined;
  /** Kinds that are known but not served. */
  readonly otherKinds?: readonly OtherKind[] | undefined;
  readonly responses?: ResponseSettings;
  /** The thread for validation that takes long. Default: the event loop. */
  readonly validationThread?: ValidationThread;
}

/** Another server's namespaces, or the resource of this server that defines them. */
export type NamespaceSource = NamespaceGuard | ResourceDefinition;
