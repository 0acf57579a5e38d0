import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import { cloneJson, type KubeObject } from '@tributary/apimachinery';
import type { Conversion, RemoteConversion, VersionDefinition } from '@tributary/server';
import { pruneObject } from '@tributary/server/schema';
import { versionsOf } from './definition-state.ts';

/** Creates the converter of a definition with a conversion webhook. */
export type ConverterOf = (definition: CustomResourceDefinition) => RemoteConversion;

type Versions = ReadonlyMap<string, VersionDefinition>;

/**
 * Conversions of all versions but the storage version. As upstream, fields that the target version does not specify are
 * pruned.
 */
export function conversionsOf(
  definition: CustomResourceDefinition,
  versions: Versions,
  converterOf: ConverterOf,
): Readonly<Record<string, Conversion | RemoteConversion>> {
  const stored = versionsOf(definition).find(({ storage }) => storage)?.name ?? '';
  const others = [...versions.keys()].filter((name) => name !== stored);
  if (others.length === 0) return {};
  if (definition.spec.conversion?.strategy === 'Webhook') {
    const conversion = pruning(converterOf(definition), versions);
    return Object.fromEntries(others.map((name) => [name, conversion]));
  }
  return Object.fromEntries(
    others.map((name) => [
      name,
      {
        toStorage: (object) => convertVersion(object, versions.get(stored)),
        fromStorage: (object) => convertVersion(object, versions.get(name)),
      } satisfies Conversion,
    ]),
  );
}

/** Changes the version and prunes unknown fields. */
function convertVersion(
  object: KubeObject,
  to: VersionDefinition | undefined,
): Omit<KubeObject, 'kind'> {
  const { apiVersion: _, kind: __, ...content } = pruned(cloneJson(object) as KubeObject, to);
  return content as Omit<KubeObject, 'kind'>;
}

function pruning(conversion: RemoteConversion, versions: Versions): RemoteConversion {
  return {
    convert: async (objects, between, signal) => {
      const to = versions.get(between.to.slice(between.to.indexOf('/') + 1));
      const converted = await conversion.convert(objects, between, signal);
      return converted.map((object) => pruned(object, to));
    },
  };
}

function pruned(object: KubeObject, to: VersionDefinition | undefined): KubeObject {
  if (to !== undefined) pruneObject(object as unknown as Record<string, unknown>, to.schema);
  return object;
}
