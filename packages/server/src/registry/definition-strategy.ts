import { isDeepStrictEqual } from 'node:util';
import { formatGroupVersion, type KubeObject } from '@tributary/apimachinery';
import { registryKeyPrefixOf } from '@tributary/storage';
import { storedForm } from '../conversion/stored-form.ts';
import { type ResourceDefinition, subresourcesIn } from '../definition/resource.ts';
import type { PartSubresource } from '../definition/subresource.ts';
import { mutatingHooks, type VersionDefinition } from '../definition/version.ts';
import { zeroField } from '../schema/typed/decode-typed.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import type { Strategy } from './strategy.ts';

/** The strategy of an author's definition, which validates in one version: the storage version. */
export function definitionStrategy(
  group: string,
  definition: ResourceDefinition,
  version = definition.storageVersion,
): Strategy {
  const { hooks, definedHooks, schema } = versionOf(definition, version);
  const stored = formatGroupVersion({ group, version: definition.storageVersion });
  const { tracksGeneration, tracksAnnotations, kind } = definition;
  const subresources = subresourcesIn(definition, version);
  const prefix = registryKeyPrefixOf({ group, resource: definition.plural });
  return {
    resource: { group, resource: definition.plural },
    kind: { group, version, kind },
    namespaced: definition.scope === 'Namespaced',
    validateName: definition.validateName,
    prefix,
    errorKeyPrefix: prefix,
    form: storedForm(stored, kind),
    allowUnconditionalUpdate: definition.allowUnconditionalUpdate,
    validatesMetadataFirst: false,
    reportsErrorsOnce: false,
    changesObjects: mutatingHooks.some((hook) => definedHooks.has(hook)),
    deletionGraceSeconds: definition.deletionGraceSeconds,
    lifecycle: definition.lifecycle,
    prepareForCreate: (sent, context) => {
      const prepared = subresources.status ? withEmptyStatus(sent, schema.typed) : sent;
      const object = tracksGeneration ? withGeneration(prepared, 1) : prepared;
      hooks.prepareForCreate(object, context);
      return object;
    },
    prepareForUpdate: (sent, live, context) => {
      const next = subresources.status ? withStatus(sent, live) : { ...sent };
      hooks.prepareForUpdate(next, live, context);
      return next;
    },
    validate: hooks.validate,
    validateUpdate: hooks.validateUpdate,
    warnings: hooks.warnings,
    canonicalise: hooks.canonicalise,
    // The status is compared only where it is no subresource.
    countChange: (next, live) =>
      tracksGeneration &&
      (contentChanged(next, live) || (tracksAnnotations && annotationsChanged(next, live)))
        ? withGeneration(next, (live.metadata.generation ?? 0) + 1)
        : next,
  };
}

/** Writes through the status subresource: nothing but the status changes. */
export function statusStrategy(main: Strategy, definition: ResourceDefinition): Strategy {
  // A status update of a built-in kind may change metadata, unlike one of a custom resource.
  const takesMetadata = storedVersion(definition).schema.typed !== undefined;
  const { validateStatus } = versionOf(definition, main.kind.version);
  return {
    ...main,
    ...(validateStatus && { validateUpdate: validateStatus }),
    prepareForUpdate: (sent, live) => {
      const prepared = takesMetadata
        ? { ...live, metadata: sent.metadata }
        : withOwners(live, sent);
      return withStatus(prepared, sent);
    },
    warnings: (next, live) => main.warnings(next, live, 'status'),
    countChange: (next) => next,
  };
}

/** Writes through another part: its author defines which fields it changes. */
export function partStrategy(main: Strategy, part: PartSubresource): Strategy {
  return {
    ...main,
    changesObjects: true,
    prepareForUpdate: (sent, live) => {
      const next = { ...sent };
      part.prepareForUpdate(next, live);
      return next;
    },
    validateUpdate: part.validateUpdate ?? main.validateUpdate,
  };
}

/** Writes of an action, whose object is stored as it is: without hooks, validation or generation. */
export function asIsStrategy(main: Strategy): Strategy {
  return {
    ...main,
    changesObjects: false,
    prepareForUpdate: (sent) => sent,
    validateUpdate: () => [],
    warnings: () => [],
    countChange: (next) => next,
  };
}

export function storedVersion(definition: ResourceDefinition): VersionDefinition {
  return versionOf(definition, definition.storageVersion);
}

function versionOf({ versions, kind }: ResourceDefinition, name: string): VersionDefinition {
  const version = versions.get(name);
  if (version === undefined) throw new Error(`${kind} has no version ${name}`);
  return version;
}

function withoutStatus(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object as KubeObject & { status?: unknown };
  return rest;
}

/** A Go struct always has its fields. */
function withEmptyStatus(object: KubeObject, typed: TypedKind | undefined): KubeObject {
  const bare = withoutStatus(object);
  const field = typed?.struct.byName.get('status');
  return field === undefined ? bare : { ...bare, ...zeroField(field) };
}

function withStatus(object: KubeObject, source: KubeObject): KubeObject {
  const { status } = source as KubeObject & { status?: unknown };
  const bare = withoutStatus(object);
  return status === undefined ? bare : ({ ...bare, status } as KubeObject);
}

/** A status write changes the field owners of the status. */
function withOwners(live: KubeObject, sent: KubeObject): KubeObject {
  const { managedFields: _before, ...metadata } = live.metadata;
  const { managedFields } = sent.metadata;
  return { ...live, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}

function contentChanged(next: KubeObject, live: KubeObject): boolean {
  const { metadata: _next, ...nextContent } = next;
  const { metadata: _live, ...liveContent } = live;
  return !isDeepStrictEqual(nextContent, liveContent);
}

function annotationsChanged(
  { metadata: next }: KubeObject,
  { metadata: live }: KubeObject,
): boolean {
  return !isDeepStrictEqual(next.annotations ?? {}, live.annotations ?? {});
}
