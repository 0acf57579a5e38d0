export type { ObjectDeclaration } from './declarations/declarations.ts';
export type { Range, SizesByPath } from './declarations/estimate.ts';
export type {
  ActualCost,
  Call,
  EstimateCost,
  FunctionDeclaration,
  Library,
  Overload,
} from './declarations/library.ts';
export type { Variables } from './evaluate/frame.ts';
export {
  AUTHORIZER_TYPE,
  type AuthorizationDecision,
  type AuthorizationQuestion,
  type AuthorizedUser,
  authorizerValue,
  type Decide,
  RESOURCE_CHECK_TYPE,
  type ResourceQuestion,
  requestResourceValue,
} from './library/authorizer.ts';
export { toFixedExactly } from './library/exact-decimal.ts';
export { kubernetesLibraries, mutationLibraries } from './library/kubernetes.ts';
export { TWO_VARIABLE_COMPREHENSIONS } from './library/standard-comprehensions.ts';
export { OPTIONAL_LIBRARY } from './library/standard-optional.ts';
export {
  type Compilation,
  compile,
  type EvaluateOptions,
  type Evaluation,
  type Instantiation,
  PER_CALL_COST_LIMIT,
  type Program,
  RUNTIME_COST_BUDGET,
} from './program/compile.ts';
export {
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
  extendEnvironment,
} from './program/environment.ts';
export { type CompiledRegexp, compileRegexp, type Regexp } from './regexp/regexp.ts';
export { escapeProperty, unescapeProperty } from './schema/property-names.ts';
export { type Schema, withTypeAndObjectMeta } from './schema/schema.ts';
export {
  maxCardinality,
  objectDeclarations,
  type SchemaType,
  schemaType,
  sizesOf,
} from './schema/schema-type.ts';
export { typedValue } from './schema/typed-value.ts';
export type { Issue } from './syntax/source.ts';
export { display } from './values/display.ts';
export { CelError, CostLimitExceeded, celError } from './values/errors.ts';
export { type Json, jsonValue } from './values/json.ts';
export { formatType } from './values/type-format.ts';
export type { Type } from './values/types.ts';
export * as celTypes from './values/types.ts';
export {
  Duration,
  isList,
  isMap,
  type ListValue,
  type MapValue,
  NONE,
  type OpaqueValue,
  Optional,
  type Result,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values/value.ts';
