/** The parts of a schema that contain rules, so that evaluation skips the rest of an object. */
import type { Schema } from '@tributary/cel';
import { cel } from '../cel.ts';
import type { JsonSchema } from '../json-schema.ts';
import { once } from '../once.ts';
import { isRecord } from '../schema-node.ts';
import type { RulePlace, SchemaRules } from './compile-rule.ts';
import { rulesIn } from './validation-rule.ts';

export interface RuleNode {
  /** Its type, as errors name it. */
  readonly type: string;
  /** The schema that gives values their CEL types. */
  readonly valueSchema: Schema;
  /** Its own rules, compiled with the first value; undefined when there are none. */
  readonly rules: (() => SchemaRules) | undefined;
  readonly allOf: readonly RuleNode[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additionalProperties: RuleNode | undefined;
  readonly items: RuleNode | undefined;
  /** The keys of elements; empty for lists that are not of type map. */
  readonly listMapKeys: readonly string[];
}

type Compile = (schema: JsonSchema, place: RulePlace) => SchemaRules;

/** Undefined when no value can have a rule. As upstream, rules in `allOf` count only beside others. */
export function ruleTree(schema: JsonSchema, compile: Compile): RuleNode | undefined {
  if (!hasOwnRules(schema)) return undefined;
  return nodeOf(schema, schema, { isResourceRoot: true, compile });
}

interface Context {
  readonly isResourceRoot: boolean;
  readonly compile: Compile;
}

/** `validation` has the rules and `schema` the types; they differ only within `allOf`. */
function nodeOf(
  validation: JsonSchema,
  schema: JsonSchema,
  context: Context,
): RuleNode | undefined {
  const { isResourceRoot, compile } = context;
  const inner = (from: unknown, to: unknown): RuleNode | undefined => {
    if (!isRecord(from) || !isRecord(to) || !isVisible(to)) return undefined;
    const isInnerRoot = to['x-kubernetes-embedded-resource'] === true;
    return nodeOf(from, to, { compile, isResourceRoot: isInnerRoot });
  };
  const rules = rulesIn(validation);
  const place = { isResourceRoot, ...(validation !== schema && { rules }) };
  const node: RuleNode = {
    type: typeof schema.type === 'string' ? schema.type : '',
    valueSchema: isResourceRoot
      ? cel().withTypeAndObjectMeta(schema as Schema)
      : (schema as Schema),
    rules: rules.length === 0 ? undefined : once(() => compile(schema, place)),
    allOf: listIn(validation.allOf).flatMap((one) => nodeOf(one, schema, context) ?? []),
    properties: new Map(
      entriesIn(validation.properties).flatMap(([name, field]) => {
        const found = inner(field, ownValue(schema.properties, name));
        return found === undefined ? [] : [[name, found]];
      }),
    ),
    additionalProperties: inner(validation.additionalProperties, schema.additionalProperties),
    items: inner(validation.items, schema.items),
    listMapKeys: listMapKeysOf(schema),
  };
  return isEmpty(node) ? undefined : node;
}

function isEmpty({ rules, allOf, properties, additionalProperties, items }: RuleNode): boolean {
  const parts = [rules, additionalProperties, items];
  return allOf.length + properties.size === 0 && parts.every((part) => part === undefined);
}

/**
 * Whether expressions can access values of a schema: those without a type, or with only such values within, are not
 * accessible.
 */
function isVisible(schema: JsonSchema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  switch (schema.type) {
    case 'array':
      return isRecord(schema.items) && isVisible(schema.items);
    case 'object':
      return !isRecord(schema.additionalProperties) || isVisible(schema.additionalProperties);
    case 'string':
    case 'boolean':
    case 'number':
    case 'integer':
      return true;
    default:
      return false;
  }
}

function hasOwnRules(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  return (
    rulesIn(schema).length > 0 ||
    hasOwnRules(schema.items) ||
    hasOwnRules(schema.additionalProperties) ||
    entriesIn(schema.properties).some(([, field]) => hasOwnRules(field))
  );
}

function listMapKeysOf(schema: JsonSchema): readonly string[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(keys)) return [];
  return keys.filter((key) => typeof key === 'string');
}

function ownValue(fields: unknown, name: string): unknown {
  return isRecord(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function entriesIn(fields: unknown): [string, unknown][] {
  return isRecord(fields) ? Object.entries(fields) : [];
}

function listIn(schemas: unknown): JsonSchema[] {
  return Array.isArray(schemas) ? schemas.filter(isRecord) : [];
}
