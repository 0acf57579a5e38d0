import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import { cloneJson, type KubeObject } from '@tributary/apimachinery';
import type { Conversion, RemoteConversion, VersionDefinition } from '@tributary/server';
import { pruneObject } from '@tributary/server/schema';
import { versionsOf } from './definition-state.ts';

/** Who converts objects of a definition whose versions a webhook knows. */
export type ConverterOf = (definition: CustomResourceDefinition) => RemoteConversion;

type Versions = ReadonlyMap<string, VersionDefinition>;

/** For every version but the stored one. As upstream, what another version does not know is lost on the way there. */
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
        toStorage: (object) => renamed(object, versions.get(stored)),
        fromStorage: (object) => renamed(object, versions.get(name)),
      } satisfies Conversion,
    ]),
  );
}

/** Only the version is another one, and what that does not know is gone. */
function renamed(object: KubeObject, to: VersionDefinition | undefined): Omit<KubeObject, 'kind'> {
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
