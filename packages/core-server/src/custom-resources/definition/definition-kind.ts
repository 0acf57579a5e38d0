import { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, typedWith, version } from '@tributary/server/definition';
import { definitionColumns } from './columns.ts';
import { addStoredVersion, defaultDefinition } from './default-definition.ts';
import { definitionLifecycle } from './deletion.ts';
import { definitionHooks } from './validation-thread/definition-hooks.ts';

export const APIEXTENSIONS_GROUP = 'apiextensions.k8s.io';

interface DefinitionOptions {
  readonly nowMs: () => number;
}

/** The kind CustomResourceDefinition. Another part watches its objects and serves what they define. */
export function customResourceDefinitionKind({
  nowMs,
}: DefinitionOptions): ResourceDefinition<CustomResourceDefinition> {
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
        // Schemas are large and validated in the validation thread.
        typed: typedWith(CustomResourceDefinition, { valuesMax: Number.POSITIVE_INFINITY }),
        columns: definitionColumns,
        applyDefaults: defaultDefinition,
        prepareForCreate: addStoredVersion,
        prepareForUpdate: addStoredVersion,
        ...definitionHooks(),
      }),
    },
  });
}
