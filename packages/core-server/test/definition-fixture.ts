import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '@tributary/api/apiextensions-v1';

export function definitionVersion(
  more: Partial<CustomResourceDefinitionVersion> = {},
): CustomResourceDefinitionVersion {
  return {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
    ...more,
  };
}

/** `things.example.com` as it is stored, with its defaults. */
export function definition(
  spec: Partial<CustomResourceDefinitionSpec> = {},
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com', uid: 'u', resourceVersion: '1', generation: 1 },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      conversion: { strategy: 'None' },
      versions: [definitionVersion()],
      ...spec,
    },
    status: {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    },
  };
}

/** A definition whose only version has this schema. */
export function definitionOf(openAPIV3Schema: JSONSchemaProps): CustomResourceDefinition {
  return definition({ versions: [definitionVersion({ schema: { openAPIV3Schema } })] });
}
