import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { Static, TSchema } from 'typebox';
import type { VersionSchemas } from '../schema/object-schema.ts';
import { type ObjectSchema, objectSchema, typedSchema } from '../schema/object-schema.ts';
import { writesEmpty } from '../schema/typed/decode-typed.ts';
import { rewriteTyped } from '../schema/typed/rewrite-typed.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import { goFieldText } from './field-text.ts';
import type { StorageHooks, VersionHooks } from './hooks.ts';
import {
  type VersionSubresources,
  type VersionSubresourcesInput,
  versionSubresourcesOf,
} from './subresource.ts';
import { withSchemaValidation } from './validation-hooks.ts';

/** A cell of a Table; dates are RFC 3339 text. */
export type Cell = string | number | boolean | null;

export interface Column<Object = KubeObject> {
  readonly name: string;
  /** A `date` is printed as the time since, unless `showsTime`. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** A `date` is printed as it is. */
  readonly showsTime?: true;
  readonly description: string;
  /** 0 is always printed, others only in wide output. */
  readonly priority: number;
  /** The format of the values; `name` for the column with the name of the object. */
  readonly format?: string;
  readonly cell: (object: Object) => Cell;
  /** The cell of a bookmark. Default: null. */
  readonly bookmarkCell?: Cell;
}

/** An author's definition of a column: a name and a function for its cells. */
export type ColumnInput<Object = KubeObject> = Pick<Column<Object>, 'name' | 'cell'> &
  Partial<Column<Object>>;

/** A field selector's name for a value that is not the field of that path. */
export interface SelectableField<Object = KubeObject> {
  readonly path: string;
  readonly value: (object: Object) => string;
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

/**
 * The Kubernetes releases in which a version was deprecated and will be removed; every request to it gets a warning.
 */
export interface Deprecation {
  /** For example `v1.3`. */
  readonly since: string;
  /** Absent when its removal is not planned. */
  readonly unavailableIn?: string;
  /** The replacement, for example `apps/v1 Deployment`. */
  readonly use?: string;
}

export interface VersionDefinition<Object = unknown> {
  /** Objects may be stored in a version that is not served. */
  readonly served: boolean;
  readonly deprecated: Deprecation | string | undefined;
  /** In place of those of the resource. */
  readonly subresources: VersionSubresources | undefined;
  readonly schema: ObjectSchema;
  readonly columns: readonly Column[];
  readonly tableOrder: ((a: KubeObject, b: KubeObject) => number) | undefined;
  readonly repeatsTableColumns: boolean;
  readonly bookmarkFields: Readonly<Record<string, object>>;
  readonly versionAnnotations: readonly string[];
  /** Paths of fields that field selectors support, such as `spec.city`, beside name and namespace. */
  readonly selectableFields: readonly string[];
  /** As in `UpstreamVersionInput`. */
  readonly restrictsFieldLabels: boolean | ((field: string) => string);
  /** Values of selectable fields that are not the field of that path. */
  readonly selectableValues: ReadonlyMap<string, SelectableField['value']>;
  readonly hooks: VersionHooks;
  /** In place of `validateUpdate` for writes of the status alone, where the author or the schema distinguishes them. */
  readonly validateStatus: StorageHooks['validateUpdate'] | undefined;
  /** The hooks that the author defined. */
  readonly definedHooks: ReadonlySet<keyof VersionHooks>;
  /** Absent at run time; carries the type of the objects to conversions and reads. */
  readonly objectType?: Object;
}

/** An author's definition of a version, apart from its schema. */
export interface VersionInput<Object> extends Partial<VersionHooks<Object>> {
  /**
   * In place of `validateUpdate` for writes of the status alone. Default: the schema's validation, or `validateUpdate`.
   */
  readonly validateStatus?: StorageHooks<Object>['validateUpdate'];
  /** Whether clients can request the version. The storage version need not be served. Default: true. */
  readonly served?: boolean;
  /** A text is the whole warning. */
  readonly deprecated?: Deprecation | string;
  /** Of this version, where versions differ. Default: those of the resource. */
  readonly subresources?: VersionSubresourcesInput;
  readonly columns?: readonly ColumnInput<Object>[];
  /** The order of rows in a Table. Default: the order of the list. */
  readonly tableOrder?: (a: Object, b: Object) => number;
  readonly selectableFields?: readonly (string | SelectableField<Object>)[];
}

/** With options of kinds that Kubernetes itself serves, and of custom resources. */
interface UpstreamVersionInput<Object> extends VersionInput<Object> {
  /** Every event of a watch as Tables has column definitions, not only the first. Default: false. */
  readonly repeatsTableColumns?: boolean;
  /** The value of fields such as `spec` in bookmarks, beside what their type always writes. */
  readonly bookmarkFields?: Readonly<Record<string, object>>;
  /**
   * Annotations that hold fields of other versions. Upstream adds them when it converts, after it has made Tables and
   * partial metadata, which do not have them.
   */
  readonly versionAnnotations?: readonly string[];
  /**
   * The kind registers its own field labels upstream: `metadata.namespace` selects only namespaced objects, and the error
   * for an unknown label has another message, or the given one. Default: false.
   */
  readonly restrictsFieldLabels?: boolean | ((field: string) => string);
}

/** One served version that is described by the schema of a whole object, made with `rootSchema`. */
export function version(
  definition: { readonly schema: ObjectSchema } & UpstreamVersionInput<KubeObject>,
): VersionDefinition<KubeObject>;
/** One served version of a kind that is a Go struct upstream; the struct has its own descriptions. */
export function version<Object>(
  definition: { readonly typed: TypedKind<Object> } & UpstreamVersionInput<NoInfer<Object>>,
): VersionDefinition<Object>;
/** One served version of a resource. The schema is the type: columns and hooks see what it describes. */
export function version<
  Spec extends TSchema | undefined = undefined,
  Status extends TSchema | undefined = undefined,
  More extends Readonly<Record<string, TSchema>> | undefined = undefined,
>(
  definition: {
    readonly typed?: never;
    readonly schema?: never;
    readonly spec?: Spec;
    readonly status?: Status;
    readonly fields?: More;
    readonly description?: string;
  } & UpstreamVersionInput<NoInfer<ObjectOf<Spec, Status, More>>>,
): VersionDefinition<ObjectOf<Spec, Status, More>>;
export function version(
  definition: VersionSchemas & {
    readonly typed?: TypedKind;
    readonly schema?: ObjectSchema;
    readonly description?: string;
  } & UpstreamVersionInput<KubeObject>,
): VersionDefinition {
  const { typed, columns = [], description = '', selectableFields = [] } = definition;
  const schema =
    definition.schema ?? (typed ? typedSchema(typed) : objectSchema(definition, description));
  const own = { validateStatus: definition.validateStatus };
  const hooks = typed === undefined ? hooksOf(definition) : typedHooks(definition, typed);
  const { validateStatus, ...validation } = withSchemaValidation({ ...hooks, ...own }, schema);
  // Objects have the author's type once they are accepted; here they are untyped.
  return {
    served: definition.served ?? true,
    deprecated: definition.deprecated,
    subresources: definition.subresources && versionSubresourcesOf(definition.subresources),
    schema,
    columns: columns.map(columnOf),
    tableOrder: definition.tableOrder,
    repeatsTableColumns: definition.repeatsTableColumns ?? false,
    bookmarkFields: definition.bookmarkFields ?? {},
    versionAnnotations: definition.versionAnnotations ?? [],
    selectableFields: selectableFields.map((one) => (typeof one === 'string' ? one : one.path)),
    restrictsFieldLabels: definition.restrictsFieldLabels ?? false,
    selectableValues: new Map(
      selectableFields.flatMap((one) => {
        if (typeof one !== 'string') return [[one.path, one.value] as const];
        return typed === undefined ? [] : [[one, goFieldText(typed, one)] as const];
      }),
    ),
    hooks: { ...hooks, ...validation },
    validateStatus,
    definedHooks: new Set(hookNames.filter((name) => definition[name] !== undefined)),
  };
}

const hookNames: readonly (keyof VersionHooks)[] = [
  'applyDefaults',
  'prepareForCreate',
  'prepareForUpdate',
  'validate',
  'validateUpdate',
  'warnings',
  'canonicalise',
];

/** Hooks that change the stored object. */
export const mutatingHooks = [
  'prepareForCreate',
  'prepareForUpdate',
  'canonicalise',
] as const satisfies readonly (keyof StorageHooks)[];

function hooksOf(given: Partial<VersionHooks>): VersionHooks {
  const validate = given.validate ?? (() => []);
  return {
    applyDefaults: given.applyDefaults ?? (() => {}),
    prepareForCreate: given.prepareForCreate ?? (() => {}),
    prepareForUpdate: given.prepareForUpdate ?? (() => {}),
    validate,
    validateUpdate: given.validateUpdate ?? ((next, _live, context) => validate(next, context)),
    warnings: given.warnings ?? (() => []),
    canonicalise: given.canonicalise ?? (() => {}),
  };
}

/** Fields that an author's hooks have changed are encoded as Go encodes them, like those of a request. */
function typedHooks(given: Partial<VersionHooks>, typed: TypedKind): VersionHooks {
  const hooks = hooksOf(given);
  const { distinctEmptyMaps = [] } = typed;
  const changes =
    distinctEmptyMaps.length > 0 || mutatingHooks.some((name) => given[name] !== undefined);
  let needed: boolean | undefined = changes || undefined;
  return {
    ...hooks,
    canonicalise: (object) => {
      hooks.canonicalise(object);
      // Types are loaded when they are needed, not when a kind is defined.
      needed ??= writesEmpty(typed.struct);
      if (needed) rewriteTyped(object, typed.struct);
    },
  };
}

function columnOf(input: ColumnInput): Column {
  return { type: 'string', description: '', priority: 0, ...input };
}
