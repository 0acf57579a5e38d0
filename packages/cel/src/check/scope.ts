import type { Type } from '../values/types.ts';

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
