import type { FieldError, KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { Static, TSchema } from 'typebox';
import { type ObjectSchema, objectSchema } from '../schema.ts';

/** A cell of a Table; dates are RFC 3339 text. */
export type Cell = string | number | boolean | null;

export interface Column<Object = KubeObject> {
  readonly name: string;
  /** A `date` is shown as the time that has passed since. */
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
export interface VersionHooks<Object = KubeObject> extends StorageHooks<Object> {
  /** Fills in what was left out, in an object that the schema has accepted. It changes the object it is given. */
  readonly applyDefaults: (object: Object) => void;
}

/** These see every object in the storage version, whichever version a client speaks. */
export interface StorageHooks<Object = KubeObject> {
  /** The last changes before a new object is judged and stored. It changes the object it is given. */
  readonly prepareForCreate: (object: Object) => void;
  /** The same for an update; `live` is what is stored, and is not changed. */
  readonly prepareForUpdate: (next: Object, live: Object) => void;
  /** What the schema cannot say. */
  readonly validate: (object: Object) => readonly FieldError[];
  /** The same for an update, which may be judged by what it changes. Default: `validate`. */
  readonly validateUpdate: (next: Object, live: Object) => readonly FieldError[];
  /** What a client should know about an object that is accepted nevertheless. */
  readonly warnings: (object: Object) => readonly string[];
  /** Brings an accepted object into its one stored form. It changes the object it is given. */
  readonly canonicalise: (object: Object) => void;
}

/** When a version was superseded and will go, as Kubernetes releases; every request to it is warned. */
export interface Deprecation {
  /** For example `v1.3`. */
  readonly since: string;
  readonly unavailableIn: string;
  /** What to use instead, for example `apps/v1 Deployment`. */
  readonly use?: string;
}

export interface VersionDefinition<Object = unknown> {
  readonly deprecated: Deprecation | undefined;
  readonly schema: ObjectSchema;
  readonly columns: readonly Column[];
  /** Paths of fields that field selectors may name, such as `spec.city`, beside name and namespace. */
  readonly selectableFields: readonly string[];
  readonly hooks: VersionHooks;
  /** The hooks that the author gave. */
  readonly ownHooks: ReadonlySet<keyof VersionHooks>;
  /** Never there at run time: it carries the type of the objects to conversions and reads. */
  readonly objectType?: Object;
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
    readonly selectableFields?: readonly string[];
  } & Partial<VersionHooks<NoInfer<ObjectOf<Spec, Status, More>>>>,
): VersionDefinition<ObjectOf<Spec, Status, More>> {
  const { columns = [], description = '', selectableFields = [] } = definition;
  // Objects have the author's type once the schema has validated them; here they are any objects.
  const hooks = definition as Partial<VersionHooks>;
  return {
    deprecated: definition.deprecated,
    schema: objectSchema(definition, description),
    columns: (columns as readonly unknown[] as readonly ColumnInput[]).map(columnOf),
    selectableFields,
    hooks: hooksOf(hooks),
    ownHooks: new Set(hookNames.filter((name) => hooks[name] !== undefined)),
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

function hooksOf(given: Partial<VersionHooks>): VersionHooks {
  const validate = given.validate ?? (() => []);
  return {
    applyDefaults: given.applyDefaults ?? (() => {}),
    prepareForCreate: given.prepareForCreate ?? (() => {}),
    prepareForUpdate: given.prepareForUpdate ?? (() => {}),
    validate,
    validateUpdate: given.validateUpdate ?? validate,
    warnings: given.warnings ?? (() => []),
    canonicalise: given.canonicalise ?? (() => {}),
  };
}

function columnOf(input: ColumnInput): Column {
  return { type: 'string', description: '', priority: 0, ...input };
}
