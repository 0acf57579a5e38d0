import { isDeepStrictEqual } from 'node:util';
import { formatGroupVersion, type KubeObject } from '@tributary/apimachinery';
import type { ResourceDefinition, VersionDefinition } from '../resource.ts';
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
      withGeneration(object, definition.tracksGeneration ? 1 : undefined),
    prepareForUpdate: (next, live) =>
      definition.tracksGeneration && contentChanged(next, live)
        ? withGeneration(next, (live.metadata.generation ?? 0) + 1)
        : next,
    validate: version.hooks.validate,
  };
}

function withGeneration(object: KubeObject, generation: number | undefined): KubeObject {
  const { generation: _sent, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: { ...metadata, ...(generation !== undefined && { generation }) },
  };
}

function contentChanged(next: KubeObject, live: KubeObject): boolean {
  const { metadata: _next, ...nextContent } = next;
  const { metadata: _live, ...liveContent } = live;
  return !isDeepStrictEqual(nextContent, liveContent);
}
