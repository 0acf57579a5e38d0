import { isDeepStrictEqual } from 'node:util';
import { formatGroupVersion, type KubeObject } from '@tributary/apimachinery';
import type { VersionDefinition } from '../definition/version.ts';
import type { ResourceDefinition } from '../resource.ts';
import { storedForm } from './stored-form.ts';
import type { Strategy } from './strategy.ts';

/** The strategy that follows from an author's definition. */
export function definitionStrategy(
  group: string,
  definition: ResourceDefinition,
  version: VersionDefinition,
): Strategy {
  const gvk = { group, version: definition.storageVersion, kind: definition.kind };
  return {
    resource: { group, resource: definition.plural },
    kind: gvk,
    namespaced: definition.scope === 'Namespaced',
    validateName: definition.validateName,
    prefix: `/registry/${group}/${definition.plural}/`,
    form: storedForm(formatGroupVersion(gvk), definition.kind),
    allowUnconditionalUpdate: definition.allowUnconditionalUpdate,
    prepareForCreate: (object) =>
      definition.tracksGeneration ? withGeneration(object, 1) : object,
    prepareForUpdate: (next, live) =>
      definition.tracksGeneration && contentChanged(next, live)
        ? withGeneration(next, (live.metadata.generation ?? 0) + 1)
        : next,
    validate: version.hooks.validate,
    validateUpdate: version.hooks.validateUpdate,
  };
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}

function contentChanged(next: KubeObject, live: KubeObject): boolean {
  const { metadata: _next, ...nextContent } = next;
  const { metadata: _live, ...liveContent } = live;
  return !isDeepStrictEqual(nextContent, liveContent);
}
