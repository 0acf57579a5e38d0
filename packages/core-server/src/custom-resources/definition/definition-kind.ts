import { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, typedWith, version } from '@tributary/server/definition';
import { definitionColumns } from './columns.ts';
import { addStoredVersion, defaultDefinition } from './default-definition.ts';
import { definitionLifecycle } from './deletion.ts';
import { judgedDefinitions } from './validation-thread/definition-hooks.ts';

export const APIEXTENSIONS_GROUP = 'apiextensions.k8s.io';

interface DefinitionParts {
  readonly nowMs: () => number;
}

/** The kind by which other kinds are defined. What makes resources of its objects, follows them. */
export function customResourceDefinitionKind({
  nowMs,
}: DefinitionParts): ResourceDefinition<CustomResourceDefinition> {
  return defineResource({
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    scope: 'Cluster',
    subresources: { status: true },
    resetFields: { status: ['spec'] },
    lifecycle: definitionLifecycle(nowMs),
    versions: {
      v1: version({
        // Schemas are large, and checked in the thread.
        typed: typedWith(CustomResourceDefinition, { valuesMax: Number.POSITIVE_INFINITY }),
        columns: definitionColumns,
        applyDefaults: defaultDefinition,
        prepareForCreate: addStoredVersion,
        prepareForUpdate: addStoredVersion,
        ...judgedDefinitions(),
      }),
    },
  });
}
