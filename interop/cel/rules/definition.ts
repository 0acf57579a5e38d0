/** Custom resource definitions for scenarios. */
import type { JsonSchema } from '../../../packages/server/src/schema/json-schema.ts';
import { object, ruled } from './scenario.ts';

export const GROUP = 'rules.example.com';
export const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Everything is kept, and nothing is judged. */
export const LAX_SCHEMA: JsonSchema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
};

export function definitionOf(plural: string, openAPIV3Schema: JsonSchema): JsonSchema {
  const version = { name: 'v1', served: true, storage: true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { kind: kindOf(plural), plural, singular: plural.slice(0, -1) },
      versions: [{ ...version, schema: { openAPIV3Schema }, subresources: { status: {} } }],
    },
  };
}

function kindOf(plural: string): string {
  return `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
}

/** A field that refuses every object that has it, which shows that a schema is in force. */
export const SENTINEL = 'sentinel';

export function withSentinel(schema: JsonSchema): JsonSchema {
  const { properties } = schema as { properties: JsonSchema };
  return {
    ...schema,
    properties: { ...properties, [SENTINEL]: ruled({ type: 'string' }, 'false') },
  };
}

/** A schema whose specification has one property for each scenario. */
export function specSchema(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return withSentinel(object({ spec: object(properties) }));
}

export interface NamedObject extends Record<string, unknown> {
  readonly metadata: { readonly name: string };
}

export function instanceOf(plural: string, name: string, content: object): NamedObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: kindOf(plural),
    metadata: { name },
    ...content,
  };
}
