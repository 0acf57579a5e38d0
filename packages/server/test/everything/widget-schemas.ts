/** The schemas of a Widget: every kind of list, map and field that a schema can describe. */
import type { KubeObject } from '@tributary/apimachinery';
import Type from 'typebox';

export const Colour = Type.Union(
  [Type.Literal('red'), Type.Literal('green'), Type.Literal('blue')],
  {
    description: 'What it looks like.',
    default: 'red',
  },
);

export const Size = Type.Union([Type.Integer(), Type.String()], {
  description: 'A number of millimetres, or a share such as 50%.',
  'x-kubernetes-int-or-string': true,
});

export const Replicas = Type.Integer({
  description: 'How many are wanted.',
  format: 'int32',
  minimum: 0,
  maximum: 1000,
  default: 1,
});

/** A list in which an element is known by two fields, one of which may be left out. */
export const Ports = Type.Array(
  Type.Object({
    port: Type.Integer({ format: 'int32', minimum: 1, maximum: 65535 }),
    protocol: Type.Optional(
      Type.Union([Type.Literal('TCP'), Type.Literal('UDP')], { default: 'TCP' }),
    ),
    name: Type.Optional(Type.String({ maxLength: 15 })),
  }),
  {
    maxItems: 16,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
  },
);

/** Elements are never looked at twice, their order means nothing. */
export const Tags = Type.Array(Type.String({ minLength: 1 }), {
  maxItems: 32,
  'x-kubernetes-list-type': 'set',
});

/** Fields that `v1` and `v1beta1` share; `v1alpha1` lacks them. */
export const commonFields = {
  steps: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Replaced as a whole.',
      maxItems: 64,
      'x-kubernetes-list-type': 'atomic',
    }),
  ),
  parts: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, multipleOf: 0.5 })),
        env: Type.Optional(
          Type.Array(Type.Object({ name: Type.String(), value: Type.Optional(Type.String()) }), {
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            'x-kubernetes-patch-strategy': 'merge',
            'x-kubernetes-patch-merge-key': 'name',
          }),
        ),
      }),
      {
        description: 'Merged by name, by every kind of patch.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
      },
    ),
  ),
  limits: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Merged key by key.',
      maxProperties: 16,
      'x-kubernetes-map-type': 'granular',
    }),
  ),
  origin: Type.Optional(
    Type.Object(
      { kind: Type.String(), name: Type.String() },
      { description: 'Replaced as a whole.', 'x-kubernetes-map-type': 'atomic' },
    ),
  ),
  placement: Type.Optional(
    Type.Object(
      {
        zone: Type.Optional(Type.String({ default: 'a', pattern: '^[a-z]$' })),
        spread: Type.Optional(
          Type.Object(
            {
              enabled: Type.Optional(Type.Boolean({ default: false })),
              distance: Type.Optional(Type.Integer({ default: 3, minimum: 1 })),
            },
            { default: {} },
          ),
        ),
      },
      { description: 'Has defaults inside defaults.', default: {} },
    ),
  ),
  note: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Null says that there is none.' }),
  ),
  serial: Type.Optional(Type.Integer({ description: 'May be larger than 2^53.', format: 'int64' })),
  seal: Type.Optional(Type.String({ format: 'byte' })),
  notBefore: Type.Optional(Type.String({ format: 'date-time' })),
  extra: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Anything at all is kept.',
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  ),
  settings: Type.Optional(
    Type.Unsafe<{ level?: number; [field: string]: unknown }>({
      type: 'object',
      description: 'One field is known, others are kept.',
      properties: { level: { type: 'integer', format: 'int32', default: 1 } },
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  ),
  template: Type.Optional(
    Type.Unsafe<KubeObject>({
      type: 'object',
      description: 'A whole object of any kind.',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  ),
  companion: Type.Optional(
    Type.Unsafe<KubeObject & { spec?: { reason?: string } }>({
      type: 'object',
      description: 'A whole object of which the fields are known.',
      properties: { spec: { type: 'object', properties: { reason: { type: 'string' } } } },
      'x-kubernetes-embedded-resource': true,
    }),
  ),
};

export const WidgetStatus = Type.Object({
  phase: Type.Optional(Type.String()),
  replicas: Type.Optional(Type.Integer({ format: 'int32' })),
  selector: Type.Optional(Type.String({ description: 'A label selector in its query form.' })),
  readyAt: Type.Optional(Type.String({ format: 'date-time' })),
  observedGeneration: Type.Optional(Type.Integer()),
  conditions: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.String(),
        status: Type.Union([Type.Literal('True'), Type.Literal('False'), Type.Literal('Unknown')]),
        message: Type.Optional(Type.String()),
      }),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    ),
  ),
});
