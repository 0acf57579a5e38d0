import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@tributary/api/apiextensions-v1';
import { compareKubeVersions } from '@tributary/apimachinery';
import {
  forbid,
  type LiveResource,
  type ScalePaths,
  type VersionDefinition,
} from '@tributary/server';
import { defineResource, type UndescribedVersion, version } from '@tributary/server/definition';
import { type JsonSchema, rootSchema } from '@tributary/server/schema';
import { customColumns } from './columns.ts';
import { type ConverterOf, conversionsOf } from './conversions.ts';
import { isTerminating, versionsOf } from './definition-state.ts';
import { customSelectableFields } from './selectable-fields.ts';

/**
 * Compiles a CustomResourceDefinition to the definition that authors of resources write in TypeScript, so that both are
 * served by the same code. Schemas are compiled at first use, because most definitions stay unused for long.
 */
export function compileDefinition(
  definition: CustomResourceDefinition,
  converterOf: ConverterOf,
  onUndescribed: (problem: UndescribedVersion) => void = () => {},
): LiveResource {
  const { spec, status } = definition;
  const { kind, listKind, singular, shortNames = [], categories = [] } = status.acceptedNames;
  const all = versionsOf(definition);
  const stored = all.find(({ storage }) => storage);
  if (stored === undefined)
    throw new Error(`${spec.names.plural}.${spec.group}: no storage version`);
  const versions = new Map(all.map((one) => [one.name, customVersion(one, definition)]));
  return {
    group: spec.group,
    definition: defineResource({
      kind,
      plural: spec.names.plural,
      ...(listKind !== undefined && { listKind }),
      ...(singular !== undefined && { singular }),
      shortNames,
      categories,
      scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
      versions: Object.fromEntries(versions),
      storageVersion: stored.name,
      // Versions are known at run time only, so their conversions cannot be type-checked.
      conversions: conversionsOf(definition, versions, converterOf) as never,
      custom: true,
      onUndescribed,
      validatesServedVersion: true,
      defaultsStored: true,
      discoveryVerbs: isTerminating(definition) ? VERBS_WHILE_TERMINATING : VERBS,
      ...(isTerminating(definition) && { admit: { create: () => forbid(TERMINATING) } }),
    }),
  };
}

const TERMINATING = 'create not allowed while custom resource definition is terminating';
/** In upstream's order. */
const VERBS = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
] as const;
/** Discovery omits the other verbs, which still work, so that finalizers can be removed. */
const VERBS_WHILE_TERMINATING = ['delete', 'deletecollection', 'get', 'list', 'watch'] as const;

function customVersion(
  definition: CustomResourceDefinitionVersion,
  crd: CustomResourceDefinition,
): VersionDefinition {
  const { name, served, schema, subresources, additionalPrinterColumns, selectableFields } =
    definition;
  return version({
    served,
    ...(definition.deprecated && {
      deprecated: definition.deprecationWarning ?? deprecationWarning(name, crd),
    }),
    // The generated type is upstream's struct of the same JSON.
    schema: rootSchema((schema?.openAPIV3Schema ?? ANYTHING) as JsonSchema),
    subresources: {
      status: subresources?.status !== undefined,
      ...(subresources?.scale && { scale: scalePaths(subresources.scale) }),
    },
    columns: customColumns(additionalPrinterColumns),
    restrictsFieldLabels: true,
    selectableFields: customSelectableFields(selectableFields),
  });
}

/** Names the highest-priority served version that is not deprecated. */
function deprecationWarning(name: string, definition: CustomResourceDefinition): string {
  const { group, names } = definition.spec;
  const [better] = versionsOf(definition)
    .filter((one) => one.served && !one.deprecated && compareKubeVersions(one.name, name) < 0)
    .map((one) => one.name)
    .sort(compareKubeVersions);
  const warning = `${group}/${name} ${names.kind} is deprecated`;
  return better === undefined ? warning : `${warning}; use ${group}/${better} ${names.kind}`;
}

const ANYTHING: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function scalePaths({ labelSelectorPath, ...paths }: ScalePaths): ScalePaths {
  // An empty path counts as absent.
  return labelSelectorPath ? { ...paths, labelSelectorPath } : paths;
}
