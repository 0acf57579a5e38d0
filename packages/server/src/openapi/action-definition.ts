/** The definition of the body of an action that has a schema for it. */
import type { GroupVersionKind } from '@tributary/apimachinery';
import type { ServedSubresource, ServedVersion } from '../definition/served-versions.ts';
import type { SchemaObject } from '../schema/openapi-schema.ts';
import { capitalised, definitionName } from './definition-name.ts';
import { structDefinitions } from './kind-definitions.ts';
import { kinds, metaNames, typeMeta } from './meta-definitions.ts';
import { translateSchema } from './translate-schema.ts';

/** Undefined for an action without a schema of its own. */
export function actionDefinitionName(
  parent: GroupVersionKind,
  subresource: ServedSubresource,
): string | undefined {
  if (subresource.form !== 'action') return undefined;
  const { kind, body, typed } = subresource.action;
  if (typed !== undefined) return typed.struct.definition;
  if (body === undefined) return undefined;
  // A body without a kind is named for its action.
  return definitionName(kind ?? { ...parent, kind: parent.kind + capitalised(subresource.name) });
}

export function actionDefinitions({
  kind,
  subresources,
}: ServedVersion): Map<string, SchemaObject> {
  const definitions = new Map<string, SchemaObject>();
  for (const subresource of subresources) {
    const name = actionDefinitionName(kind, subresource);
    if (name === undefined || subresource.form !== 'action') continue;
    const { typed } = subresource.action;
    if (typed !== undefined) {
      const own = structDefinitions(typed.struct, subresource.kind);
      for (const [called, schema] of own) definitions.set(called, schema);
      continue;
    }
    const body = translateSchema(subresource.action.body, {
      definitionName: (local) => (local === '#' ? name : `${name}${capitalised(local)}`),
      definitions,
    });
    // A recursive schema is a definition already.
    const schema = body.$ref === name ? (definitions.get(name) ?? body) : body;
    const own = subresource.action.kind;
    definitions.set(name, own === undefined ? schema : withKind(schema, own));
  }
  return definitions;
}

function withKind(schema: SchemaObject, kind: GroupVersionKind): SchemaObject {
  return {
    ...schema,
    properties: {
      ...typeMeta(),
      metadata: { description: 'Standard metadata.', $ref: metaNames.objectMeta },
      ...schema.properties,
    },
    ...kinds([kind], kind.kind),
  };
}
