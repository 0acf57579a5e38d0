import type { GroupVersionKind } from '@tributary/apimachinery';
import type { ServedVersion } from '../definition/served-versions.ts';
import type { VersionDefinition } from '../definition/version.ts';
import { mapSubschemas, referencesOf, type SchemaObject } from '../schema/openapi-schema.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import { structDefinition, typedDefinitions } from '../schema/typed/typed-schema.ts';
import { capitalised, definitionName } from './definition-name.ts';
import { kinds, metaDefinitions, metaNames, typeMeta } from './meta-definitions.ts';
import { embedded, translateSchema } from './translate-schema.ts';

/** Names of the definitions of a kind and of its list: those of Go types follow their package, others their group. */
export function kindDefinitionNames(entry: ServedVersion): { own: string; list: string } {
  const { resource, kind } = entry;
  const { typed } = versionOf(entry).schema;
  const listKind = { ...kind, kind: resource.listKind };
  return {
    own: typed?.struct.definition ?? definitionName(kind),
    list: typed?.list?.definition ?? definitionName(listKind),
  };
}

/** The definitions of a kind, of its list, and of those that its schema names. */
export function kindDefinitions(entry: ServedVersion): Map<string, SchemaObject> {
  const { kind } = entry;
  const definition = versionOf(entry);
  if (definition.schema.typed !== undefined) {
    return typedKindDefinitions(definition.schema.typed, entry);
  }
  const definitions = new Map<string, SchemaObject>();
  const { description, fields, root } = definition.schema;
  const properties = new Map<string, SchemaObject>(Object.entries(typeMeta()));
  properties.set('metadata', { description: 'Standard metadata.', $ref: metaNames.objectMeta });
  for (const [field, schema] of fields) {
    // The schema of a whole object is OpenAPI already.
    if (root !== undefined) {
      properties.set(field, withEmbedded(schema as SchemaObject));
      continue;
    }
    const definitionNameOf = (local: string) =>
      definitionName({
        ...kind,
        kind: kind.kind + capitalised(local === '#' ? field : local),
      });
    properties.set(
      field,
      translateSchema(schema, { definitionName: definitionNameOf, definitions }),
    );
  }
  const selectable = selectableFields(definition);
  refuseDanglingReferences(kind.kind, [...properties.values()], definitions);
  definitions.set(definitionName(kind), {
    ...(root as SchemaObject | undefined),
    ...(description !== '' && { description }),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...kinds([kind], kind.kind),
    ...selectable,
  });
  definitions.set(...listDefinition(entry));
  return definitions;
}

/** The name and schema of the list of a kind with a schema. */
export function listDefinition(entry: ServedVersion): [name: string, schema: SchemaObject] {
  const { resource, kind } = entry;
  const listKind = { ...kind, kind: resource.listKind };
  const schema: SchemaObject = {
    description: `A list of ${kind.kind} objects.`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta(),
      items: {
        description: 'The objects.',
        type: 'array',
        items: { $ref: definitionName(kind) },
      },
      metadata: { description: 'Metadata of the list.', $ref: metaNames.listMeta },
    },
    ...kinds([listKind], listKind.kind),
    ...selectableFields(versionOf(entry)),
  };
  return [definitionName(listKind), schema];
}

/** Embedded objects have a type and metadata, although their schema omits them. */
function withEmbedded(schema: SchemaObject): SchemaObject {
  return embedded(mapSubschemas(schema, withEmbedded));
}

function versionOf({ resource, kind }: ServedVersion): VersionDefinition {
  const definition = resource.versions.get(kind.version);
  if (definition === undefined) throw new Error(`${kind.kind}: no version ${kind.version}`);
  return definition;
}

/** Every type that a Go type refers to, except those of all documents. */
export function structDefinitions(
  struct: TypedKind['struct'],
  kind: GroupVersionKind,
  list: TypedKind['list'] = undefined,
): Map<string, SchemaObject> {
  const shared = metaDefinitions([]);
  const definitions = new Map(
    [...typedDefinitions(list ?? struct)]
      .filter(([name]) => !shared.has(name))
      .map(([name, schema]) => [name, { ...schema, ...containedKind(name, schema) }] as const),
  );
  definitions.set(struct.definition, {
    ...structDefinition(struct),
    ...kinds([kind], kind.kind),
  });
  return definitions;
}

const CORE_KIND = /^io\.k8s\.api\.core\.(\w+)\.(\w+)$/;

/** A kind of the core group may be a field of another one: a StatefulSet has claims. */
function containedKind(name: string, { properties = {} }: SchemaObject): SchemaObject {
  const [, version, kind] = CORE_KIND.exec(name) ?? [];
  const isObject = ['apiVersion', 'kind', 'metadata'].every((field) =>
    Object.hasOwn(properties, field),
  );
  if (!isObject || version === undefined || kind === undefined) return {};
  return kinds([{ group: '', version }], kind);
}

function typedKindDefinitions(
  { struct, list }: TypedKind,
  { resource, kind }: ServedVersion,
): Map<string, SchemaObject> {
  const definitions = structDefinitions(struct, kind, list);
  if (list !== undefined) {
    definitions.set(list.definition, {
      description: `A list of ${kind.kind} objects.`,
      ...describedItems(structDefinition(list)),
      ...kinds([kind], resource.listKind),
    });
  }
  return definitions;
}

function describedItems({ properties = {}, ...rest }: SchemaObject): SchemaObject {
  const items = { description: 'The objects.', ...properties.items };
  return { ...rest, properties: { ...properties, items } };
}

/** As custom resources list the fields of field selectors. */
function selectableFields({ selectableFields }: VersionDefinition): SchemaObject {
  if (selectableFields.length === 0) return {};
  return {
    'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })),
  };
}

function refuseDanglingReferences(
  kind: string,
  fields: readonly SchemaObject[],
  definitions: ReadonlyMap<string, SchemaObject>,
): void {
  for (const schema of [...fields, ...definitions.values()]) {
    for (const name of referencesOf(schema)) {
      if (!definitions.has(name) && name !== metaNames.objectMeta) {
        throw new Error(`${kind}: its schema refers to ${name}, which it does not define`);
      }
    }
  }
}
