/** One built-in kind that is stored, defaulted, judged and shown as upstream does it, and that nothing acts on. */
import { isDeepStrictEqual } from 'node:util';
import {
  declarative,
  type FieldError,
  fieldError,
  fieldImmutable,
  type ObjectMeta,
  root,
  validateDnsLabelName,
  validateDnsSubdomainName,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import type {
  ColumnInput,
  ResourceDefinition,
  ResourceInput,
  SelectableField,
  SubresourcesInput,
  VersionDefinition,
  VersionHooks,
} from '@tributary/server';
import {
  ageColumn,
  defineResource,
  nameColumn,
  type TypedKind,
  type UpstreamLifecycleInput,
  version,
} from '@tributary/server/definition';
import { type MetadataRules, metadataErrors, metadataUpdateErrors } from './object-metadata.ts';

const NAME_RULES = {
  'dns-label': validateDnsLabelName,
  'dns-subdomain': validateDnsSubdomainName,
  'path-segment': validatePathSegmentName,
};

const NAME = String(root('metadata').child('name'));

type Versions<Object> = { readonly v1: VersionDefinition<Object> };
type Resource<Object> = ResourceInput<Versions<Object>, 'v1'>;

export interface StoredObject {
  metadata: ObjectMeta;
  status?: unknown;
}

type Conversion =
  ResourceDefinition['conversions'] extends ReadonlyMap<string, infer One> ? One : never;

/** Of a kind that is stored in another; its types are known where it is defined. */
export interface OtherVersion {
  readonly served: VersionDefinition;
  readonly conversion: Conversion;
}

export interface StoredKind<Object>
  extends Partial<Pick<VersionHooks<Object>, 'prepareForCreate' | 'prepareForUpdate' | 'warnings'>>,
    Pick<
      Resource<Object>,
      | 'plural'
      | 'shortNames'
      | 'categories'
      | 'allowCreateOnUpdate'
      | 'returnsDeletedObject'
      | 'deletionGraceSeconds'
      | 'admit'
    > {
  readonly typed: TypedKind<Object>;
  readonly lifecycle?: UpstreamLifecycleInput<Object>;
  /** Which is stored. Default: v1. */
  readonly version?: string;
  /** What else is served, and how it is converted. */
  readonly others?: Readonly<Record<string, OtherVersion>>;
  /** Default: Namespaced. */
  readonly scope?: 'Cluster';
  /** Default: a DNS subdomain. */
  readonly names?: keyof typeof NAME_RULES;
  /** Whether changes of the spec are counted. Default: false. */
  readonly generation?: boolean;
  /** Default: true. */
  readonly allowUnconditionalUpdate?: false;
  /** Whether it has a status that is written by itself. */
  readonly status?: true;
  /** What a write of the status takes over from the stored object. Default: the spec. */
  readonly statusResets?: readonly string[];
  /** Where a selector is, of a kind that is scaled. */
  readonly scaledBy?: string;
  /** Beside its status and scale. */
  readonly subresources?: Pick<SubresourcesInput<Object>, 'actions' | 'connections' | 'parts'>;
  /** Between the name and the age; a kind that says `allColumns` has those and no others. */
  readonly columns?: readonly ColumnInput<Object>[];
  /** What is shown as its name, where that is more. */
  readonly nameOf?: (object: Object) => string | undefined;
  /** After the age. */
  readonly moreColumns?: readonly ColumnInput<Object>[];
  readonly wideColumns?: readonly ColumnInput<Object>[];
  readonly allColumns?: readonly ColumnInput<Object>[];
  readonly selectableFields?: readonly (string | SelectableField<Object>)[];
  /** Annotations that stand for fields of other versions. */
  readonly versionAnnotations?: readonly string[];
  readonly restrictsFieldLabels?: boolean | ((field: string) => string);
  readonly applyDefaults?: (object: Object) => void;
  /** As of `MetadataRules`. */
  readonly anyFinalizer?: true;
  /** Upstream's declarative validation judges the name. */
  readonly declaredName?: true;
  /** How often an update tells what is wrong with the metadata, beside what is asked of every kind: once. */
  readonly metadataOnUpdate?: 'twice' | 'never';
  /** Beside its metadata. */
  readonly validate?: (object: Object) => FieldError[];
  /** What else a new one may not have. */
  readonly validateNew?: (object: Object) => FieldError[];
  /** Top-level fields that stay as they were created; a refusal shows the new value. */
  readonly immutable?: readonly (keyof Object & string)[];
  /** Likewise, asked by upstream's declarative validation, which shows no value. */
  readonly declaredImmutable?: readonly (keyof Object & string)[];
  /** What else an update may not change. */
  readonly validateChange?: (next: Object, live: Object) => FieldError[];
  /** Upstream tells of changes before it tells of the rest. */
  readonly changesFirst?: true;
  readonly validateStatus?: (next: Object, live: Object) => FieldError[];
}

export function storedKind<Object extends StoredObject>(
  kind: StoredKind<Object>,
): ResourceDefinition<Object> {
  const { typed, names = 'dns-subdomain', scope = 'Namespaced', anyFinalizer } = kind;
  const rules = {
    namespaced: scope === 'Namespaced',
    validateName: NAME_RULES[names],
    ...(anyFinalizer && { anyFinalizer }),
  };
  const validate = (object: Object): FieldError[] => [
    ...metadataErrors(object, rules).map((error) =>
      kind.declaredName && error.field === NAME ? declarative(error) : error,
    ),
    ...(kind.validate?.(object) ?? []),
    ...(kind.validateNew?.(object) ?? []),
  ];
  const served = version<Object>({
    typed,
    columns: columnsOf(kind),
    validate,
    validateUpdate: (next, live) => updateErrors({ ...kind, rules }, next, live),
    ...given(kind, [
      'applyDefaults',
      'restrictsFieldLabels',
      'prepareForCreate',
      'prepareForUpdate',
      'selectableFields',
      'versionAnnotations',
      'warnings',
    ]),
  });
  return defineResource({
    kind: typed.kind,
    plural: kind.plural,
    scope,
    names,
    tracksGeneration: kind.generation ?? false,
    allowUnconditionalUpdate: kind.allowUnconditionalUpdate ?? true,
    ...given(kind, [
      'admit',
      'allowCreateOnUpdate',
      'categories',
      'deletionGraceSeconds',
      'lifecycle',
      'returnsDeletedObject',
      'shortNames',
    ]),
    subresources: subresourcesOf(kind),
    resetFields: { status: kind.statusResets ?? ['spec'] },
    ...versionsOf(kind, served),
  } as unknown as Resource<Object>) as ResourceDefinition<Object>;
}

function versionsOf<Object>(
  { version: stored = 'v1', others = {} }: StoredKind<Object>,
  served: VersionDefinition<Object>,
) {
  const rest = Object.entries(others);
  return {
    versions: {
      [stored]: served,
      ...Object.fromEntries(rest.map(([name, other]) => [name, other.served])),
    },
    storageVersion: stored,
    ...(rest.length > 0 && {
      conversions: Object.fromEntries(rest.map(([name, { conversion }]) => [name, conversion])),
    }),
  };
}

/** Those members of the kind that it says. */
function given<Kind extends object, Name extends keyof Kind>(
  kind: Kind,
  names: readonly Name[],
): Partial<{ [N in Name]: Exclude<Kind[N], undefined> }> {
  return Object.fromEntries(
    names.filter((name) => kind[name] !== undefined).map((name) => [name, kind[name]]),
  ) as Partial<{ [N in Name]: Exclude<Kind[N], undefined> }>;
}

function columnsOf<Object extends StoredObject>(kind: StoredKind<Object>) {
  const { allColumns, columns = [], moreColumns = [], wideColumns = [] } = kind;
  if (allColumns !== undefined) return allColumns;
  const wide = wideColumns.map((column) => ({ ...column, priority: 1 }));
  const { nameOf } = kind;
  const name = nameOf
    ? { ...nameColumn, cell: (object: Object) => nameOf(object) ?? object.metadata.name ?? '' }
    : nameColumn;
  return [name, ...columns, ageColumn, ...moreColumns, ...wide] as readonly ColumnInput<Object>[];
}

function subresourcesOf<Object>({ status, scaledBy, subresources }: StoredKind<Object>) {
  return {
    ...subresources,
    ...(status && { status }),
    ...(scaledBy !== undefined && {
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: scaledBy,
      },
    }),
  };
}

/** Writes of the spec leave the status as it is and the other way round: of each, only its changes are judged. */
function updateErrors<Object extends StoredObject>(
  kind: StoredKind<Object> & { readonly rules: MetadataRules },
  next: Object,
  live: Object,
): FieldError[] {
  const { metadataOnUpdate, rules } = kind;
  const errors = metadataOnUpdate === 'never' ? [] : metadataUpdateErrors(next, live, rules);
  if (kind.status && !isDeepStrictEqual(next.status, live.status)) {
    return [...errors, ...(kind.validateStatus?.(next, live) ?? [])];
  }
  const changed = (names: readonly (keyof Object & string)[] = []) =>
    names.filter((name) => !isDeepStrictEqual(next[name], live[name]));
  const changes = [
    ...changed(kind.immutable).map((name) =>
      fieldError.invalid(root(name), next[name] ?? null, fieldImmutable),
    ),
    ...changed(kind.declaredImmutable).map((name) =>
      declarative(fieldError.invalid(root(name), null, fieldImmutable)),
    ),
    ...(kind.validateChange?.(next, live) ?? []),
  ];
  const found = [
    ...(metadataOnUpdate === 'twice' ? metadataErrors(next, rules) : []),
    ...(kind.validate?.(next) ?? []),
  ];
  return [...errors, ...(kind.changesFirst ? [...changes, ...found] : [...found, ...changes])];
}
