/** The CustomResourceDefinition that says the same as a definition of ours. */
import type { SchemaNode } from '../../packages/server/src/schema/schema-node.ts';
import { Thing } from './definition.ts';

export const crdName = 'things.schema.example.com';

export function customResourceDefinition(): object {
  const structure = Thing.versions.get('v1')?.schema.structure;
  if (structure === undefined) throw new Error('the definition has no v1');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName },
    spec: {
      group: 'schema.example.com',
      scope: 'Namespaced',
      names: {
        kind: Thing.kind,
        listKind: Thing.listKind,
        plural: Thing.plural,
        singular: 'thing',
      },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: props(structure) } },
      ],
    },
  };
}

/** A schema node in the words of JSONSchemaProps; what is not said stays out. */
function props(node: SchemaNode): object {
  const intOrString = node.types.length > 1;
  const rules = {
    type: intOrString ? undefined : node.types[0],
    'x-kubernetes-int-or-string': intOrString || undefined,
    nullable: node.nullable || undefined,
    format: node.format || undefined,
    enum: node.enum,
    minimum: node.minimum?.value,
    exclusiveMinimum: node.minimum?.exclusive || undefined,
    maximum: node.maximum?.value,
    exclusiveMaximum: node.maximum?.exclusive || undefined,
    pattern: node.pattern?.source,
    multipleOf: node.multipleOf,
    minLength: node.minLength,
    maxLength: node.maxLength,
    minItems: node.minItems,
    maxItems: node.maxItems,
    minProperties: node.minProperties,
    maxProperties: node.maxProperties,
    default: node.default,
    'x-kubernetes-preserve-unknown-fields': node.preserveUnknownFields || undefined,
    'x-kubernetes-embedded-resource': node.embeddedResource || undefined,
    'x-kubernetes-list-type': node.listType === 'atomic' ? undefined : node.listType,
  };
  return { ...defined(rules), ...inner(node) };
}

function inner(node: SchemaNode): object {
  const { properties, additionalProperties } = node;
  const named = [...properties].map(([name, field]) => [name, props(field)] as const);
  return {
    ...(node.required.length > 0 && { required: node.required }),
    ...(named.length > 0 && { properties: Object.fromEntries(named) }),
    ...(additionalProperties && { additionalProperties: props(additionalProperties) }),
    ...(node.items && { items: props(node.items) }),
    ...(node.listMapKeys.length > 0 && { 'x-kubernetes-list-map-keys': node.listMapKeys }),
    ...(node.allOf.length > 0 && { allOf: node.allOf.map(props) }),
    ...(node.anyOf.length > 0 && { anyOf: node.anyOf.map(props) }),
    ...(node.oneOf.length > 0 && { oneOf: node.oneOf.map(props) }),
    ...(node.not && { not: props(node.not) }),
  };
}

function defined(record: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
