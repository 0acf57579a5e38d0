import type { FunctionDeclaration } from '../library/declaration.ts';
import type { Type } from '../types.ts';

/** What names mean while an expression is checked. */
export interface Declarations {
  /** The type of a variable, or `type(T)` for the name of a type; undefined when nothing has the name. */
  identifier(name: string): Type | undefined;
  /** `type(T)` for the name of a type, whatever variables there are. */
  typeIdentifier(name: string): Type | undefined;
  function(name: string): FunctionDeclaration | undefined;
  /** Whether an object type of the name is known. */
  hasFields(objectName: string): boolean;
  /** The type of a field; undefined when the object has none of the name. */
  field(objectName: string, field: string): Type | undefined;
  readonly homogeneousLiterals: boolean;
}

/** Variables of loops, innermost first. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly variables: ReadonlyMap<string, Type>;
}

export function findLocal(scope: Scope | undefined, name: string): Type | undefined {
  for (let current = scope; current !== undefined; current = current.parent) {
    const type = current.variables.get(name);
    if (type !== undefined) {
      return type;
    }
  }
  return undefined;
}
