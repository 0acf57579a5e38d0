/** CustomResourceDefinitions of the usual size of operators: ten per group, each with about 20 KB of schema. */

export const DEFINITIONS_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const PER_GROUP = 10;
const SECTIONS = 12;
const FIELDS = 10;

export function definitionName(number: number): { group: string; plural: string; kind: string } {
  return {
    group: `group-${Math.floor(number / PER_GROUP)}.bench.example.com`,
    plural: `things${number}`,
    kind: `Thing${number}`,
  };
}

export function definition(number: number): object {
  const { group, plural, kind } = definitionName(number);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, shortNames: [`t${number}`], categories: ['all'] },
      versions: [{ name: 'v1', served: true, storage: true, ...version() }],
    },
  };
}

export function instance(number: number): object {
  const { group, kind } = definitionName(number);
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: 'one' },
    spec: { section0: { field0: 'a', items: [{ name: 'x', weight: 1 }] } },
  };
}

function version(): object {
  const spec = Object.fromEntries(
    Array.from({ length: SECTIONS }, (_, at) => [`section${at}`, section(at)]),
  );
  return {
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: spec },
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: 'Field', type: 'string', jsonPath: '.spec.section0.field0' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  };
}

function section(at: number): object {
  const fields = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, field) => [
      `field${field}`,
      {
        type: 'string',
        maxLength: 200,
        description: `Field ${field} of section ${at}. `.repeat(3),
      },
    ]),
  );
  return {
    type: 'object',
    properties: {
      ...fields,
      items: {
        type: 'array',
        maxItems: 50,
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', maxLength: 63 },
            weight: { type: 'integer', minimum: 0, default: 1 },
          },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    },
    'x-kubernetes-validations': [
      { rule: '!has(self.field0) || self.field0.size() < 200', message: 'field0 is too long' },
    ],
  };
}
