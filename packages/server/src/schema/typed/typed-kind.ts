import type { GoPackage } from './go-package.ts';
import type { GoStructType } from './go-type.ts';

/** A kind that is a Go struct upstream: its bodies are decoded as Go decodes them, and no schema validates them. */
export interface TypedKind<Object = unknown> {
  readonly kind: string;
  readonly struct: GoStructType;
  /** Undefined for kinds that are never listed. */
  readonly list: GoStructType | undefined;
  /** Paths of maps whose empty value differs from an absent one during validation. Default: none. */
  readonly distinctEmptyMaps?: readonly string[];
  /** Bound on the values of an object in a request. Default: `VALUES_MAX`. */
  readonly valuesMax?: number;
  /** Absent at run time; carries the type of the objects. */
  readonly objectType?: Object;
}

/** Types are parsed on first use. */
export function typedKind<Object>(
  source: GoPackage,
  kind: string,
  { isListed = true }: { readonly isListed?: boolean } = {},
): TypedKind<Object> {
  return {
    kind,
    get struct() {
      return structOf(source, kind);
    },
    get list() {
      return isListed ? structOf(source, `${kind}List`) : undefined;
    },
  };
}

/** The same kind with other settings; types are still parsed on first use. */
export function typedWith<Object>(
  typed: TypedKind<Object>,
  settings: Pick<TypedKind, 'distinctEmptyMaps' | 'valuesMax'>,
): TypedKind<Object> {
  return {
    kind: typed.kind,
    get struct() {
      return typed.struct;
    },
    get list() {
      return typed.list;
    },
    ...settings,
  };
}

function structOf(source: GoPackage, name: string): GoStructType {
  const type = source.type(name);
  if (type.kind !== 'struct') throw new Error(`${source.path}.${name} is not a struct`);
  return type;
}
