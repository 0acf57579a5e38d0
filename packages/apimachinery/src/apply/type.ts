/** Upstream's `Atom`: one form, or several of which the value selects one. */
export interface Type {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  readonly element: Type;
  /** `atomic` lists are replaced as a whole, `associative` ones merged item by item. */
  readonly relationship: 'atomic' | 'associative';
  /** The fields that identify items; empty for a set. */
  readonly keys: readonly string[];
}

export interface MapType {
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of undeclared fields; undefined when they are not allowed. */
  readonly element: Type | undefined;
  readonly relationship: 'separable' | 'atomic';
}

export interface FieldType {
  readonly type: Type;
  readonly default?: unknown;
}

export type Form = 'scalar' | 'list' | 'map';

export type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The form of a value; undefined for null and absent values. */
function formOfValue(value: unknown): Form | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : 'scalar';
}

/** The form of a type that applies to a value. */
export interface Deduction {
  readonly form: Form | undefined;
  /** Whether the value selected the form; otherwise it is the first one of the type. */
  readonly decided: boolean;
}

export function deduceForm(type: Type, value: unknown): Deduction {
  const form = formOfValue(value);
  if (form !== undefined && type[form] !== undefined) return byValue[form];
  const first = firstForm(type);
  return first === undefined ? undeduced : byType[first];
}

/** Preallocated: a form is deduced for every value of every written object. */
const byValue: Readonly<Record<Form, Deduction>> = {
  scalar: { form: 'scalar', decided: true },
  list: { form: 'list', decided: true },
  map: { form: 'map', decided: true },
};
const byType: Readonly<Record<Form, Deduction>> = {
  scalar: { form: 'scalar', decided: false },
  list: { form: 'list', decided: false },
  map: { form: 'map', decided: false },
};
const undeduced: Deduction = { form: undefined, decided: false };

function firstForm(type: Type): Form | undefined {
  if (type.map !== undefined) return 'map';
  if (type.scalar !== undefined) return 'scalar';
  return type.list === undefined ? undefined : 'list';
}

/** Whether two values of a type have the same deduced form. */
export function sameDeduction(type: Type, a: Deduction, b: Deduction): boolean {
  if (a.form !== b.form) return false;
  return a.decided === b.decided || formCount(type) === 1;
}

function formCount({ scalar, list, map }: Type): number {
  return Number(scalar !== undefined) + Number(list !== undefined) + Number(map !== undefined);
}

const untypedScalar: Scalar = 'untyped';

/** Any value, atomic. */
export const untypedAtomic: Type = {
  scalar: untypedScalar,
  get list(): ListType {
    return { element: untypedAtomic, relationship: 'atomic', keys: [] };
  },
  get map(): MapType {
    return { fields: new Map(), element: untypedAtomic, relationship: 'atomic' };
  },
};

/** Any value without a schema: maps are granular, everything else is atomic. */
export const deduced: Type = {
  scalar: untypedScalar,
  list: { element: untypedAtomic, relationship: 'atomic', keys: [] },
  get map(): MapType {
    return deducedMap;
  },
};

const deducedMap: MapType = {
  fields: new Map(),
  get element(): Type {
    return deduced;
  },
  relationship: 'separable',
};
