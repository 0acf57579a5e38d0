import type { Declarations, ObjectDeclaration } from '../declarations/declarations.ts';
import type { SizesByPath } from '../declarations/estimate.ts';
import type { FunctionDeclaration, Library } from '../declarations/library.ts';
import { STANDARD_LIBRARY } from '../library/standard.ts';
import type { Macro } from '../syntax/macro.ts';
import { runtimeName, type Type, typeOf } from '../values/types.ts';

export interface EnvironmentOptions {
  /** Beside the standard library, which is always there. */
  readonly libraries?: readonly Library[];
  readonly variables?: Readonly<Record<string, Type>>;
  readonly types?: readonly ObjectDeclaration[];
  /** Sizes of data, for estimating costs; from a path that begins with a variable. */
  readonly sizes?: SizesByPath;
  /** Lists and maps in expressions have elements of one type, as Kubernetes wants it. On by default. */
  readonly homogeneousLiterals?: boolean;
}

/** The names of expressions. Never changes; `extendEnvironment` makes another. */
export interface Environment extends Declarations {
  readonly macros: readonly Macro[];
  readonly optionalSyntax: boolean;
  readonly sizes: SizesByPath | undefined;
  typeNamed(name: string): Type | undefined;
  readonly parts: EnvironmentParts;
}

/** The parts of an environment, for making another from it. */
interface EnvironmentParts {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly macros: readonly Macro[];
  readonly types: ReadonlyMap<string, Type>;
  readonly variables: ReadonlyMap<string, Type>;
  readonly objects: ReadonlyMap<string, ObjectDeclaration>;
}

export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  const empty: EnvironmentParts = {
    functions: new Map(),
    macros: [],
    types: new Map(),
    variables: new Map(),
    objects: new Map(),
  };
  return build(withLibraries(empty, [STANDARD_LIBRARY]), options);
}

/** The environment with more in it. Making it does not depend on the size of what was there. */
export function extendEnvironment(base: Environment, options: EnvironmentOptions): Environment {
  return build(base.parts, {
    homogeneousLiterals: base.homogeneousLiterals,
    ...(base.sizes === undefined ? {} : { sizes: base.sizes }),
    ...options,
  });
}

function build(base: EnvironmentParts, options: EnvironmentOptions): Environment {
  const { libraries = [], variables = {}, types = [] } = options;
  const grown = libraries.length === 0 ? base : withLibraries(base, libraries);
  const parts: EnvironmentParts = {
    ...grown,
    variables: new Map([...grown.variables, ...Object.entries(variables)]),
    objects: new Map([...grown.objects, ...types.map((type) => [type.name, type] as const)]),
  };
  return {
    parts,
    macros: parts.macros,
    optionalSyntax: parts.functions.has('_?._'),
    homogeneousLiterals: options.homogeneousLiterals ?? true,
    sizes: options.sizes,
    identifier: (name) => parts.variables.get(name) ?? typeIdentifier(parts, name),
    typeIdentifier: (name) => typeIdentifier(parts, name),
    function: (name) => parts.functions.get(name),
    hasFields: (object) => parts.objects.has(object),
    field: (object, name) => parts.objects.get(object)?.field(name),
    typeNamed: (name) => parts.types.get(name),
  };
}

function typeIdentifier({ types, objects }: EnvironmentParts, name: string): Type | undefined {
  const type = types.get(name);
  if (type !== undefined) {
    return typeOf(type);
  }
  return objects.has(name) ? typeOf({ kind: 'object', name }) : undefined;
}

function withLibraries(base: EnvironmentParts, libraries: readonly Library[]): EnvironmentParts {
  const functions = new Map(base.functions);
  const macros = [...base.macros];
  const types = new Map(base.types);
  for (const library of libraries) {
    for (const declaration of library.functions) {
      functions.set(declaration.name, merged(functions.get(declaration.name), declaration));
    }
    macros.push(...(library.macros ?? []));
    for (const type of library.types ?? []) {
      types.set(runtimeName(type), type);
    }
  }
  return { ...base, functions, macros, types };
}

/** The overloads of both; what a later library says of the whole function counts. */
function merged(
  before: FunctionDeclaration | undefined,
  declaration: FunctionDeclaration,
): FunctionDeclaration {
  if (before === undefined) {
    return declaration;
  }
  const known = new Set(before.overloads.map(({ id }) => id));
  const more = declaration.overloads.filter(({ id }) => !known.has(id));
  return { ...before, ...declaration, overloads: [...before.overloads, ...more] };
}
