import type { VersionDefinition } from '../definition/version.ts';
import type { ServedVersion } from '../discovery/served.ts';
import { capitalised, definitionName } from './definition-name.ts';
import { kinds, metaNames, typeMeta } from './meta-definitions.ts';
import { referencesOf, type SchemaObject } from './schema-object.ts';
import { translateSchema } from './translate-schema.ts';

/** The definitions of a kind, of its list, and of what its schema names itself. */
export function kindDefinitions({ resource, kind }: ServedVersion): Map<string, SchemaObject> {
  const definition = resource.versions.get(kind.version);
  if (definition === undefined) throw new Error(`${kind.kind}: no version ${kind.version}`);
  const listKind = { ...kind, kind: resource.listKind };
  const definitions = new Map<string, SchemaObject>();
  const { description, fields } = definition.schema;
  const properties = new Map<string, SchemaObject>(Object.entries(typeMeta()));
  properties.set('metadata', { description: 'Standard metadata.', $ref: metaNames.objectMeta });
  for (const [field, schema] of fields) {
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
    ...(description !== '' && { description }),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...kinds([kind], kind.kind),
    ...selectable,
  });
  definitions.set(definitionName(listKind), {
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
    ...selectable,
  });
  return definitions;
}

/** As custom resources tell which fields a field selector may name. */
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
