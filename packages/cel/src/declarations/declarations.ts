import type { Type } from '../values/types.ts';
import type { FunctionDeclaration } from './library.ts';

/** An object type and its fields. */
export interface ObjectDeclaration {
  readonly name: string;
  field(name: string): Type | undefined;
}

/** The meaning of names while an expression is checked. */
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
