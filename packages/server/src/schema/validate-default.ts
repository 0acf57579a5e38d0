/**
 * Validation of the defaults of a custom resource's schema, before they are added to objects without further
 * validation.
 */
import {
  aggregateText,
  cloneJson,
  type FieldError,
  type FieldPath,
  fieldError,
  GoTypeError,
  goText,
} from '@tributary/apimachinery';
import { countRules, nodeOf, type Resource, resourceOf } from './default-nodes.ts';
import { validateEmbedded } from './embedded-resources.ts';
import type { JsonSchema } from './json-schema.ts';
import { pruneObject } from './prune.ts';
import { compileRules } from './rules/compile-rules.ts';
import { isRecord, rootNode, type SchemaNode } from './schema-node.ts';
import { validateValue } from './validate-value.ts';
import { ERRORS_MAX, Walk } from './walk.ts';

interface DefaultsOptions {
  /** The path of the schema. */
  readonly path: FieldPath;
  /** Whether a default with fields that would be pruned is invalid; called for the first such default. */
  readonly requirePruned: () => boolean;
}

/**
 * Bound on rules compiled for defaults: those of a schema count for each default around them. Beyond it a default is
 * validated by rules only as part of an object.
 */
const RULES_MAX = 500;

/** Returns the errors of the defaults of a structural schema of a whole object. */
export function validateSchemaDefaults(schema: JsonSchema, options: DefaultsOptions): FieldError[] {
  const rules = new Map<JsonSchema, number>();
  countRules(schema, rules);
  const state: State = {
    ...options,
    errors: [],
    embedding: new Set(),
    rules,
    rulesLeft: RULES_MAX,
  };
  const { path } = options;
  const resource = resourceOf(schema, state.embedding);
  visit(
    schema,
    { path: () => path, node: undefined, resource, steps: undefined, isMetadata: false },
    state,
  );
  return state.errors;
}

interface State extends DefaultsOptions {
  readonly errors: FieldError[];
  /** Nodes that contain embedded objects, of those that were made. */
  readonly embedding: Set<SchemaNode>;
  /** The number of rules of each schema and below it; schemas without rules are omitted. */
  readonly rules: ReadonlyMap<JsonSchema, number>;
  rulesLeft: number;
}

interface Position {
  readonly path: () => FieldPath;
  /** The node, within a schema that has a default. */
  readonly node: SchemaNode | undefined;
  /** The object around the field, and the steps from it. */
  readonly resource: Resource;
  readonly steps: Step | undefined;
  /** Within type or metadata. */
  readonly isMetadata: boolean;
}

/** A step to a field, or to the only element of a list. */
interface Step {
  readonly before: Step | undefined;
  readonly name: string | undefined;
}

const METADATA: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/** Maps are skipped: no default is allowed there. */
function visit(schema: JsonSchema, outer: Position, state: State): void {
  if (state.errors.length >= ERRORS_MAX) return;
  const isResource =
    schema === outer.resource.schema || schema['x-kubernetes-embedded-resource'] === true;
  const here = isResource ? enterResource(schema, outer, state) : outer;
  const hasDefault = schema.default !== undefined && schema.default !== null;
  const node =
    here.node ?? (hasDefault ? nodeOf(schema, state.embedding, { isResource }) : undefined);
  if (hasDefault && node !== undefined) {
    state.errors.push(...defaultErrors({ schema, node }, here, state));
  }
  const { path, resource, steps } = here;
  const { items, properties } = schema;
  if (isRecord(items)) {
    const at = { path: () => path().child('items'), steps: { before: steps, name: undefined } };
    visit(items, { ...here, ...at, node: node?.items }, state);
  }
  if (!isRecord(properties)) return;
  for (const name of Object.keys(properties)) {
    const field = properties[name];
    if (!isRecord(field)) continue;
    const position: Position = {
      path: () => path().child('properties').key(name),
      node: node?.properties.get(name),
      resource,
      steps: { before: steps, name },
      isMetadata: here.isMetadata || (isResource && METADATA.has(name)),
    };
    visit(field, position, state);
  }
}

function enterResource(schema: JsonSchema, outer: Position, state: State): Position {
  const resource =
    schema === outer.resource.schema ? outer.resource : resourceOf(schema, state.embedding);
  return { ...outer, resource, steps: undefined, isMetadata: false };
}

/** A schema with a default, and its node. */
interface Pair {
  readonly schema: JsonSchema;
  readonly node: SchemaNode;
}

/** The first kind of error ends the validation of a default. */
function defaultErrors(pair: Pair, position: Position, state: State): readonly FieldError[] {
  const path = () => position.path().child('default');
  const { default: value } = pair.schema;
  const before = position.isMetadata
    ? metadataErrors(value, position, path, state)
    : objectErrors(pair.node, value, path, state);
  if (before.isOver) return before.errors;
  const errors = valueErrors(pair.node, value, path);
  const found = errors.length > 0 ? errors : ruleErrors(pair.schema, path, state);
  return [...before.errors, ...found];
}

interface Errors {
  readonly errors: readonly FieldError[];
  readonly isOver: boolean;
}

const NOTHING: Errors = { errors: [], isOver: false };

function objectErrors(
  node: SchemaNode,
  value: unknown,
  path: () => FieldPath,
  { embedding, requirePruned }: State,
): Errors {
  if (typeof value !== 'object') return NOTHING;
  const pruned = prune(node, value);
  if (typeof pruned === 'string') return { errors: [decodeError(pruned, path())], isOver: true };
  const errors =
    pruned > 0 && requirePruned()
      ? [fieldError.invalid(path(), value, 'must not have unknown fields')]
      : [];
  if (!embedding.has(node)) return { errors, isOver: false };
  const found = validateEmbedded(node, value, path(), embedding);
  return { errors: [...errors, ...found], isOver: found.length > 0 };
}

/** Validates the object around the default. */
function metadataErrors(
  value: unknown,
  { resource, steps }: Position,
  path: () => FieldPath,
  { embedding }: State,
): Errors {
  const node = resource.node();
  const message = node && metadataError(node, around(value, steps), embedding);
  if (message === undefined) return NOTHING;
  const detail = `must result in valid metadata: ${message}`;
  return { errors: [fieldError.invalid(path(), value, detail)], isOver: true };
}

function metadataError(
  resource: SchemaNode,
  object: Readonly<Record<string, unknown>>,
  embedding: ReadonlySet<SchemaNode>,
): string | undefined {
  const pruned = prune(resource, object);
  if (typeof pruned === 'string') return pruned.replace(/^default\./, '');
  // Paths begin within the object.
  const holder = rootNode(new Map([['', resource]]));
  const sought = new Set([...embedding, holder]);
  const errors = validateEmbedded(holder, { '': object }, undefined, sought);
  if (errors.length === 0) return undefined;
  return aggregateText(
    errors.map((error) => ({ ...error, field: error.field.replace(/^\./, '') })),
  );
}

/** The smallest object that contains the value at its path. */
function around(value: unknown, steps: Step | undefined): Record<string, unknown> {
  let object = cloneJson(value) as unknown;
  for (let step = steps; step !== undefined; step = step.before) {
    object = step.name === undefined ? [object] : { [step.name]: object };
  }
  return { apiVersion: 'validation/v1', kind: 'Validation', ...(object as object) };
}

/** Returns the number of pruned fields, or the error of metadata that cannot be decoded. */
function prune(node: SchemaNode, value: unknown): number | string {
  try {
    const structure = rootNode(new Map([['default', node]]));
    return pruneObject({ default: cloneJson(value) }, { structure } as never).length;
  } catch (error) {
    if (error instanceof GoTypeError) return error.message;
    throw error;
  }
}

/** Converts the text of an error below `default`. */
function decodeError(text: string, path: FieldPath): FieldError {
  const [, below = '', shown = text] = /^default(\S*): Invalid value: ([\s\S]*)$/.exec(text) ?? [];
  return { ...fieldError.invalid(path, goText(shown), ''), field: `${path}${below}` };
}

function valueErrors(node: SchemaNode, value: unknown, path: () => FieldPath): FieldError[] {
  const walk = new Walk();
  validateValue(node, value, walk);
  return walk.errors.map((error) => below(error, path()));
}

/** As an unchanged value and as a new one. */
function ruleErrors(schema: JsonSchema, path: () => FieldPath, state: State): FieldError[] {
  const rules = state.rules.get(schema) ?? 0;
  state.rulesLeft -= rules;
  if (rules === 0 || state.rulesLeft < 0) return [];
  const { validate } = compileRules(schema);
  if (validate === undefined) return [];
  const { default: value } = schema;
  const unchanged = validate(value, value);
  const errors = unchanged.length > 0 ? unchanged : validate(value);
  return errors.map((error) => below(error, path()));
}

/** As upstream, the field has the prefix, and the message has not. */
function below(error: FieldError, path: FieldPath): FieldError {
  const { field } = error;
  if (field === '' || field === '<nil>') return { ...error, field: path.toString() };
  return { ...error, field: field.startsWith('[') ? `${path}${field}` : `${path}.${field}` };
}
