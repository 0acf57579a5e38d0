/** Schemas and CEL rules, for definitions of custom resources. */

export type { JsonSchema } from './json-schema.ts';
export { rootSchema } from './object-schema.ts';
export { pruneObject } from './prune.ts';
export { isRecognizedFormat, patternError } from './recognized.ts';
export { compileRules, hasRules } from './rules/compile-rules.ts';
export { ruleDeclarationErrors } from './rules/rule-declaration.ts';
export { validateSchemaDefaults } from './validate-default.ts';
export { ERRORS_MAX } from './walk.ts';
