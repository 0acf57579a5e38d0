import {
  type KubeObject,
  type NameValidator,
  type StatusError,
  validateDns1035LabelName,
  validateDnsLabelName,
  validateDnsSubdomainName,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import type { AdmissionRules } from './admission.ts';
import type { Backing } from './backing.ts';
import {
  type Conversion,
  type Conversions,
  isRemote,
  type ObjectIn,
  type RemoteConversion,
  type Versions,
} from './conversion.ts';
import type { LifecycleInput, UpstreamLifecycleInput } from './lifecycle.ts';
import {
  type ActionBodies,
  type Subresources,
  type SubresourcesInput,
  subresourcesOf,
  type UpstreamSubresourcesInput,
} from './subresource.ts';
import type { VersionDefinition } from './version.ts';

export type Scope = 'Namespaced' | 'Cluster';

/** The verbs a resource may have. */
export const resourceVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const;
export type ResourceVerb = (typeof resourceVerbs)[number];

const nameRules = {
  'dns-subdomain': validateDnsSubdomainName,
  'dns-label': validateDnsLabelName,
  /** As `dns-label`, beginning with a letter. */
  'dns-1035-label': validateDns1035LabelName,
  /** Any single segment of a URL path. */
  'path-segment': validatePathSegmentName,
} as const;

interface ResourceFields<Object, Bodies extends ActionBodies = ActionBodies> {
  readonly kind: string;
  readonly plural: string;
  /** Default: the kind followed by `List`. */
  readonly listKind?: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: Scope;
  /** The rule for names. Default: a DNS subdomain, lower case with dashes and dots. */
  readonly names?: keyof typeof nameRules;
  /** `metadata.generation` counts changes outside metadata and status. Default: true. */
  readonly tracksGeneration?: boolean;
  /** An update without a resourceVersion takes the latest state instead of being refused. Default: false. */
  readonly allowUnconditionalUpdate?: boolean;
  /** A PUT of an object that does not exist creates it. Default: false. */
  readonly allowCreateOnUpdate?: boolean;
  /** A delete that removes the object returns it instead of a Status. Default: false. */
  readonly returnsDeletedObject?: boolean;
  /**
   * The default grace period of deletion in seconds; deletion is graceful only for kinds that set this. A delete with 0
   * seconds removes the object.
   */
  readonly deletionGraceSeconds?: (object: Object) => number;
  /** The served verbs. Default: all that the backing supports. */
  readonly verbs?: readonly ResourceVerb[];
  readonly subresources?: SubresourcesInput<Object, Bodies>;
  readonly admit?: AdmissionRules<Object>;
  /** The store of its objects. Default: the server's store. */
  readonly backing?: Backing<Object>;
  /**
   * Fields that writes of the whole object, or of its status, leave unchanged whatever clients send; such writes do not
   * own them. Default: the status, and everything but the status.
   */
  readonly resetFields?: {
    readonly whole?: readonly string[];
    readonly status?: readonly string[];
  };
  /** Exceptions from the usual life of its objects. */
  readonly lifecycle?: LifecycleInput<Object>;
}

/** With options of kinds that Kubernetes itself serves, and of custom resources. */
interface UpstreamResourceFields<Object, Bodies extends ActionBodies = ActionBodies>
  extends ResourceFields<Object, Bodies> {
  readonly subresources?: UpstreamSubresourcesInput<Object, Bodies>;
  readonly lifecycle?: UpstreamLifecycleInput<Object>;
  /** `metadata.generation` counts changes of annotations too. Default: false. */
  readonly tracksAnnotations?: boolean;
  /** The verbs in discovery, in this order, with subresources in theirs. Default: all verbs, both sorted. */
  readonly discoveryVerbs?: readonly ResourceVerb[];
  /** Serves the objects of another resource of the same server. */
  readonly storedAs?: StoredAs;
  /**
   * Objects are prepared, validated and owned in the version of the request, as custom resources are, with the hooks of
   * that version. Default: true for conversion by webhook; otherwise these steps use the storage version.
   */
  readonly validatesServedVersion?: boolean;
  /**
   * Objects from the store are pruned and defaulted by the schema of the version in which they are stored, as custom
   * resources are: their schemas change while objects stay. Default: false.
   */
  readonly defaultsStored?: boolean;
  /**
   * A custom resource, which differs from built-in kinds upstream: patches are not strategic, bodies must have apiVersion
   * and kind, some errors have other messages. Default: false.
   */
  readonly custom?: boolean;
  /**
   * Called for each version that OpenAPI cannot describe, each time documents are made; the documents leave it out. Without
   * this hook such a schema is an error of the author, and making documents throws.
   */
  readonly onUndescribed?: (problem: UndescribedVersion) => void;
  /** Called before each request to an object or collection; a status that it returns is the response. */
  readonly gate?: Gate;
}

/** A version that OpenAPI cannot describe. */
export interface UndescribedVersion {
  readonly version: string;
  readonly reason: string;
}

/** Returns the error for a verb, as in `RequestInfo`, that is not allowed now. */
export type Gate = (verb: string) => StatusError | undefined;

/** The objects of another resource, converted: nothing is stored twice. */
export interface StoredAs {
  /** The group of the other resource. */
  readonly group: string;
  readonly resource: ResourceDefinition;
  /** Between the one version of this resource and the storage version of the other. */
  readonly conversion: Conversion;
}

type StorageVersionInput<V extends Versions, Stored extends keyof V> = [
  Exclude<keyof V, Stored>,
] extends [never]
  ? {
      /** The version in which objects are stored. Default: the only one. */
      readonly storageVersion?: Stored;
      readonly conversions?: undefined;
    }
  : { readonly storageVersion: Stored; readonly conversions: Conversions<V, Stored> };

export type ResourceInput<
  V extends Versions,
  Stored extends keyof V,
  Bodies extends ActionBodies = ActionBodies,
> = ResourceFields<NoInfer<ObjectIn<V[Stored]>>, Bodies> & {
  readonly versions: V;
} & StorageVersionInput<V, Stored>;

type UpstreamResourceInput<
  V extends Versions,
  Stored extends keyof V,
  Bodies extends ActionBodies = ActionBodies,
> = UpstreamResourceFields<NoInfer<ObjectIn<V[Stored]>>, Bodies> & {
  readonly versions: V;
} & StorageVersionInput<V, Stored>;

/** The types of a resource's objects, by version. */
export type ObjectsByVersion<V extends Versions> = {
  readonly [Name in keyof V]: ObjectIn<V[Name]>;
};

/** A resource; `Object` is the type of its objects in the storage version, `ByVersion` in each. */
export interface ResourceDefinition<Object = unknown, ByVersion = unknown> {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  readonly storageVersion: string;
  readonly validateName: NameValidator;
  readonly tracksGeneration: boolean;
  readonly tracksAnnotations: boolean;
  readonly allowUnconditionalUpdate: boolean;
  readonly allowCreateOnUpdate: boolean;
  readonly returnsDeletedObject: boolean;
  readonly deletionGraceSeconds: ((object: KubeObject) => number) | undefined;
  readonly versions: ReadonlyMap<string, VersionDefinition>;
  /** For every version but the storage version, unless its conversion is remote. */
  readonly conversions: ReadonlyMap<string, Conversion>;
  readonly remoteConversions: ReadonlyMap<string, RemoteConversion>;
  /** Sorted. */
  readonly verbs: readonly ResourceVerb[];
  readonly discoveryVerbs: readonly ResourceVerb[] | undefined;
  readonly subresources: Subresources;
  readonly admit: AdmissionRules;
  readonly backing: Backing | undefined;
  readonly resetFields: NonNullable<ResourceFields<KubeObject>['resetFields']>;
  readonly lifecycle: UpstreamLifecycleInput;
  readonly storedAs: StoredAs | undefined;
  readonly validatesServedVersion: boolean;
  readonly defaultsStored: boolean;
  readonly custom: boolean;
  readonly onUndescribed: ((problem: UndescribedVersion) => void) | undefined;
  readonly gate: Gate | undefined;
  /** Absent at run time, like the next field. */
  readonly objectType?: Object;
  readonly objectTypes?: ByVersion;
}

/** The subresources of a version. */
export function subresourcesIn(
  { subresources, versions }: Pick<ResourceDefinition, 'subresources' | 'versions'>,
  version: string,
): Subresources {
  return { ...subresources, ...versions.get(version)?.subresources };
}

export function defineResource<
  const V extends Versions,
  const Stored extends keyof V & string = keyof V & string,
  Bodies extends ActionBodies = ActionBodies,
>(
  input: UpstreamResourceInput<V, Stored, Bodies>,
): ResourceDefinition<ObjectIn<V[Stored]>, ObjectsByVersion<V>> {
  const { kind } = input;
  const versions = new Map<string, VersionDefinition>(Object.entries(input.versions));
  const storageVersion = storageVersionOf(kind, versions, input.storageVersion);
  const { conversions, remoteConversions } = conversionsOf(input.conversions);
  const validatesServedVersion = input.validatesServedVersion ?? remoteConversions.size > 0;
  const converted = {
    versions,
    storageVersion,
    conversions,
    remoteConversions,
    validatesServedVersion,
  };
  refuseIncomplete(kind, converted);
  // Objects have the author's type once a schema has validated them; here they are untyped.
  const fields = input as unknown as UpstreamResourceFields<KubeObject>;
  return {
    kind,
    listKind: input.listKind ?? `${kind}List`,
    plural: input.plural,
    singular: input.singular ?? kind.toLowerCase(),
    shortNames: input.shortNames ?? [],
    categories: input.categories ?? [],
    scope: input.scope,
    storageVersion,
    validateName: nameRules[input.names ?? 'dns-subdomain'],
    tracksGeneration: input.tracksGeneration ?? true,
    tracksAnnotations: input.tracksAnnotations ?? false,
    allowUnconditionalUpdate: input.allowUnconditionalUpdate ?? false,
    allowCreateOnUpdate: input.allowCreateOnUpdate ?? false,
    returnsDeletedObject: input.returnsDeletedObject ?? false,
    deletionGraceSeconds: fields.deletionGraceSeconds,
    versions,
    conversions,
    remoteConversions,
    verbs: verbsOf(kind, fields),
    discoveryVerbs: input.discoveryVerbs,
    subresources: subresourcesOf(kind, fields.subresources ?? {}),
    admit: fields.admit ?? {},
    backing: fields.backing,
    resetFields: fields.resetFields ?? {},
    lifecycle: fields.lifecycle ?? {},
    storedAs: storedAsOf(kind, fields, versions),
    validatesServedVersion,
    defaultsStored: input.defaultsStored ?? false,
    custom: input.custom ?? false,
    onUndescribed: input.onUndescribed,
    gate: input.gate,
  };
}

function storedAsOf(
  kind: string,
  { storedAs, backing }: UpstreamResourceFields<KubeObject>,
  versions: ReadonlyMap<string, VersionDefinition>,
): StoredAs | undefined {
  if (storedAs === undefined) return undefined;
  if (backing !== undefined) throw new Error(`${kind}: what is stored as another kind has no home`);
  if (versions.size > 1) {
    throw new Error(`${kind}: what is stored as another kind has one version`);
  }
  return storedAs;
}

function storageVersionOf(
  kind: string,
  versions: ReadonlyMap<string, VersionDefinition>,
  wanted: string | undefined,
): string {
  const [first] = versions.keys();
  if (first === undefined) throw new Error(`${kind}: a resource needs at least one version`);
  if (wanted === undefined && versions.size > 1) {
    throw new Error(`${kind}: storageVersion must say which of its versions is stored`);
  }
  const storageVersion = wanted ?? first;
  if (!versions.has(storageVersion)) {
    throw new Error(`${kind}: storageVersion ${storageVersion} is not among its versions`);
  }
  return storageVersion;
}

function conversionsOf(
  given: Readonly<Record<string, unknown>> | undefined,
): Pick<ResourceDefinition, 'conversions' | 'remoteConversions'> {
  const all = Object.entries(given ?? {}) as [string, Conversion | RemoteConversion][];
  return {
    conversions: new Map(
      all.flatMap(([version, one]) => (isRemote(one) ? [] : [[version, one] as const])),
    ),
    remoteConversions: new Map(
      all.flatMap(([version, one]) => (isRemote(one) ? [[version, one] as const] : [])),
    ),
  };
}

function refuseIncomplete(
  kind: string,
  {
    versions,
    storageVersion,
    conversions,
    remoteConversions,
    validatesServedVersion,
  }: Pick<
    ResourceDefinition,
    'versions' | 'storageVersion' | 'conversions' | 'remoteConversions' | 'validatesServedVersion'
  >,
): void {
  if (!validatesServedVersion && remoteConversions.size > 0) {
    throw new Error(`${kind}: what somebody else converts is judged in the version that is sent`);
  }
  const converted = new Set([...conversions.keys(), ...remoteConversions.keys()]);
  for (const name of converted) {
    if (name === storageVersion || !versions.has(name)) {
      throw new Error(
        `${kind}: the conversion of ${name} belongs to no version but the stored one`,
      );
    }
  }
  for (const [name, { definedHooks }] of versions) {
    if (name === storageVersion) continue;
    if (!converted.has(name)) {
      throw new Error(`${kind}: version ${name} has no conversion to ${storageVersion}`);
    }
    if (validatesServedVersion) continue;
    const unused = [...definedHooks].find((hook) => hook !== 'applyDefaults');
    if (unused !== undefined) {
      throw new Error(
        `${kind}: ${unused} of version ${name} would never be asked; it belongs to ${storageVersion}, which is stored`,
      );
    }
  }
}

function verbsOf(
  kind: string,
  { verbs, backing }: ResourceFields<KubeObject>,
): readonly ResourceVerb[] {
  const possible =
    backing?.kind === 'computed'
      ? resourceVerbs.filter((verb) => Object.hasOwn(backing, verb))
      : resourceVerbs;
  const impossible = verbs?.find((verb) => !possible.includes(verb));
  if (impossible !== undefined) {
    throw new Error(`${kind}: its home cannot ${impossible}`);
  }
  return verbs === undefined ? possible : possible.filter((verb) => verbs.includes(verb));
}
