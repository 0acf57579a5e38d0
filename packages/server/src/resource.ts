import {
  type FieldError,
  type KubeObject,
  type NameValidator,
  type ObjectMeta,
  validateDnsLabelName,
  validateDnsSubdomainName,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import type { Static, TSchema } from 'typebox';
import { type ObjectSchema, objectSchema } from './schema.ts';

export type Scope = 'Namespaced' | 'Cluster';

/** A cell of a Table; dates are RFC 3339 text. */
export type Cell = string | number | boolean | null;

export interface Column<Object = KubeObject> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly description: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority: number;
  readonly cell: (object: Object) => Cell;
}

/** A column as an author writes it: a name and how to fill a cell are enough. */
export type ColumnInput<Object = KubeObject> = Pick<Column<Object>, 'name' | 'cell'> &
  Partial<Column<Object>>;

/** The parts of an object that an author describes; `apiVersion`, `kind` and `metadata` are ours. */
export interface VersionSchemas {
  readonly spec?: TSchema | undefined;
  readonly status?: TSchema | undefined;
  /** Further top-level fields, for kinds that are not made of spec and status. */
  readonly fields?: Readonly<Record<string, TSchema>> | undefined;
}

type Field<Name extends string, S> = S extends TSchema ? { [N in Name]: Static<S> } : unknown;
type Fields<S> =
  S extends Readonly<Record<string, TSchema>> ? { [Name in keyof S]?: Static<S[Name]> } : unknown;

/** The TypeScript type of an object described by schemas. */
export type ObjectOf<Spec = undefined, Status = undefined, More = undefined> = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
} & Field<'spec', Spec> &
  Partial<Field<'status', Status>> &
  Fields<More>;

/** What an author may say about the objects of a version; each has a correct default. */
export interface VersionHooks<Object = KubeObject> {
  /** Fills in what was left out, in an object that the schema has accepted. It changes the object it is given. */
  readonly applyDefaults: (object: Object) => void;
  /** What the schema cannot say. */
  readonly validate: (object: Object) => readonly FieldError[];
  /** The same for an update, which may be judged by what it changes. Default: `validate`. */
  readonly validateUpdate: (next: Object, live: Object) => readonly FieldError[];
}

/** When a version was superseded and will go, as Kubernetes releases; every request to it is warned. */
export interface Deprecation {
  /** For example `v1.3`. */
  readonly since: string;
  readonly unavailableIn: string;
  /** What to use instead, for example `apps/v1 Deployment`. */
  readonly use?: string;
}

export interface VersionDefinition {
  readonly deprecated: Deprecation | undefined;
  readonly schema: ObjectSchema;
  readonly columns: readonly Column[];
  readonly hooks: VersionHooks;
}

/** One served version of a resource. The schema is the type: columns and hooks see what it describes. */
export function version<
  Spec extends TSchema | undefined = undefined,
  Status extends TSchema | undefined = undefined,
  More extends Readonly<Record<string, TSchema>> | undefined = undefined,
>(
  definition: {
    readonly spec?: Spec;
    readonly status?: Status;
    readonly fields?: More;
    readonly description?: string;
    readonly deprecated?: Deprecation;
    readonly columns?: readonly ColumnInput<NoInfer<ObjectOf<Spec, Status, More>>>[];
  } & Partial<VersionHooks<NoInfer<ObjectOf<Spec, Status, More>>>>,
): VersionDefinition {
  const { columns = [], description = '' } = definition;
  return {
    deprecated: definition.deprecated,
    schema: objectSchema(definition, description),
    // Objects have the author's type once the schema has validated them; here they are any objects.
    columns: (columns as readonly unknown[] as readonly ColumnInput[]).map(columnOf),
    hooks: hooksOf(definition as Partial<VersionHooks>),
  };
}

function hooksOf({ applyDefaults, validate, validateUpdate }: Partial<VersionHooks>): VersionHooks {
  const rules = validate ?? (() => []);
  return {
    applyDefaults: applyDefaults ?? (() => {}),
    validate: rules,
    validateUpdate: validateUpdate ?? rules,
  };
}

function columnOf(input: ColumnInput): Column {
  return { type: 'string', description: '', priority: 0, ...input };
}

const nameRules = {
  'dns-subdomain': validateDnsSubdomainName,
  'dns-label': validateDnsLabelName,
  /** Anything that can be one segment of a URL. */
  'path-segment': validatePathSegmentName,
} as const;

export interface ResourceInput {
  readonly kind: string;
  readonly plural: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: Scope;
  /** Which version is kept in the store. Default: the only one. */
  readonly storageVersion?: string;
  /** What names may look like. Default: a DNS subdomain, lower case with dashes and dots. */
  readonly names?: keyof typeof nameRules;
  /** `metadata.generation` counts changes outside metadata and status. Default: true. */
  readonly tracksGeneration?: boolean;
  /** An update without a resourceVersion takes the latest state instead of being refused. Default: false. */
  readonly allowUnconditionalUpdate?: boolean;
  readonly versions: Readonly<Record<string, VersionDefinition>>;
}

export interface ResourceDefinition {
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
  readonly allowUnconditionalUpdate: boolean;
  readonly versions: ReadonlyMap<string, VersionDefinition>;
}

export function defineResource(input: ResourceInput): ResourceDefinition {
  const versions = new Map(Object.entries(input.versions));
  const [first] = versions.keys();
  if (first === undefined) throw new Error(`${input.kind}: a resource needs at least one version`);
  if (versions.size > 1) {
    throw new Error(`${input.kind}: serving several versions of one resource is not possible yet`);
  }
  const storageVersion = input.storageVersion ?? first;
  if (!versions.has(storageVersion)) {
    throw new Error(`${input.kind}: storageVersion ${storageVersion} is not among its versions`);
  }
  return {
    kind: input.kind,
    listKind: `${input.kind}List`,
    plural: input.plural,
    singular: input.singular ?? input.kind.toLowerCase(),
    shortNames: input.shortNames ?? [],
    categories: input.categories ?? [],
    scope: input.scope,
    storageVersion,
    validateName: nameRules[input.names ?? 'dns-subdomain'],
    tracksGeneration: input.tracksGeneration ?? true,
    allowUnconditionalUpdate: input.allowUnconditionalUpdate ?? false,
    versions,
  };
}
