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
  /** A `date` is shown as the time that has passed since, unless `showsTime`. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** A `date` is shown as it is. */
  readonly showsTime?: true;
  readonly description: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority: number;
  /** What is known of the values beside their type; `name` of the column with the name of the object. */
  readonly format?: string;
  readonly cell: (object: Object) => Cell;
  /** What a bookmark has there. Default: null. */
  readonly bookmarkCell?: Cell;
}

/** A column as an author writes it: a name and how to fill a cell are enough. */
export type ColumnInput<Object = KubeObject> = Pick<Column<Object>, 'name' | 'cell'> &
  Partial<Column<Object>>;

/** A name that field selectors may use for something that is not simply a field of that path. */
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

/** When a version was superseded and will go, as Kubernetes releases; every request to it is warned. */
export interface Deprecation {
  /** For example `v1.3`. */
  readonly since: string;
  /** Absent when it stays. */
  readonly unavailableIn?: string;
  /** What to use instead, for example `apps/v1 Deployment`. */
  readonly use?: string;
}

export interface VersionDefinition<Object = unknown> {
  /** Otherwise objects may be stored in it, and nobody can ask for it. */
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
  /** Paths of fields that field selectors may name, such as `spec.city`, beside name and namespace. */
  readonly selectableFields: readonly string[];
  /** Whether it knows only names and declared fields, and says little about others, or what it says. */
  readonly restrictsFieldLabels: boolean | ((field: string) => string);
  /** Of those that are not simply a field. */
  readonly selectableValues: ReadonlyMap<string, SelectableField['value']>;
  readonly hooks: VersionHooks;
  /** In place of `validateUpdate` for writes of the status alone, where the author or the schema tells them apart. */
  readonly validateStatus: StorageHooks['validateUpdate'] | undefined;
  /** The hooks that the author gave. */
  readonly definedHooks: ReadonlySet<keyof VersionHooks>;
  /** Never there at run time: it carries the type of the objects to conversions and reads. */
  readonly objectType?: Object;
}

/** What an author says about a version, whatever describes its objects. */
export interface VersionInput<Object> extends Partial<VersionHooks<Object>> {
  /** In place of `validateUpdate` for writes of the status alone. Default: what the schema says, or `validateUpdate`. */
  readonly validateStatus?: StorageHooks<Object>['validateUpdate'];
  /** Whether clients can ask for it. One that is not served can still be the stored one. Default: true. */
  readonly served?: boolean;
  /** A text is the whole warning. */
  readonly deprecated?: Deprecation | string;
  /** Of this version, where versions differ in them. Default: those of the resource. */
  readonly subresources?: VersionSubresourcesInput;
  readonly columns?: readonly ColumnInput<Object>[];
  /** In which order a Table of many shows them. Default: as they are listed. */
  readonly tableOrder?: (a: Object, b: Object) => number;
  readonly selectableFields?: readonly (string | SelectableField<Object>)[];
}

/** With options of kinds that Kubernetes itself serves, and of custom resources. */
export interface UpstreamVersionInput<Object> extends VersionInput<Object> {
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
  // Objects have the author's type once they are accepted; here they are any objects.
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

/** Those that change what is stored. */
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

/** What an author's hooks have changed is written as Go would write it, like what clients send. */
function typedHooks(given: Partial<VersionHooks>, typed: TypedKind): VersionHooks {
  const hooks = hooksOf(given);
  const { emptyMapsNoticed = [] } = typed;
  const changes =
    emptyMapsNoticed.length > 0 || mutatingHooks.some((name) => given[name] !== undefined);
  let needed: boolean | undefined = changes || undefined;
  return {
    ...hooks,
    canonicalise: (object) => {
      hooks.canonicalise(object);
      // Types are read when they are needed, not when a kind is defined.
      needed ??= writesEmpty(typed.struct);
      if (needed) rewriteTyped(object, typed.struct);
    },
  };
}

function columnOf(input: ColumnInput): Column {
  return { type: 'string', description: '', priority: 0, ...input };
}
