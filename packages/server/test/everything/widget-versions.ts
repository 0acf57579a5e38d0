/** A Widget in three versions: the one that is stored, one with other places for fields, and a simple old one. */
import Type from 'typebox';
import { fieldError, root, version } from '../../src/index.ts';
import {
  Colour,
  commonFields,
  Ports,
  Replicas,
  Size,
  Tags,
  WidgetStatus,
} from './widget-schemas.ts';

export const widgetV1 = version({
  description: 'A Widget has one of everything.',
  spec: Type.Object({
    colour: Type.Optional(Colour),
    size: Type.Optional(Size),
    replicas: Type.Optional(Replicas),
    ports: Type.Optional(Ports),
    tags: Type.Optional(Tags),
    ...commonFields,
  }),
  status: WidgetStatus,
  columns: [
    { name: 'Colour', description: 'What it looks like.', cell: ({ spec }) => spec.colour ?? '' },
    { name: 'Replicas', type: 'integer', cell: ({ spec }) => spec.replicas ?? null },
    { name: 'Ready', type: 'date', cell: ({ status }) => status?.readyAt ?? null },
    { name: 'Zone', priority: 1, cell: ({ spec }) => spec.placement?.zone ?? '' },
  ],
  selectableFields: ['spec.colour', 'spec.replicas', 'status.phase'],
  validate: ({ spec }) =>
    spec.colour === 'blue' && (spec.replicas ?? 0) > 10
      ? [fieldError.invalid(root('spec').child('replicas'), spec.replicas, 'blue is scarce')]
      : [],
  warnings: ({ spec }) =>
    spec.tags?.includes('old') === true ? ['spec.tags: "old" has no effect any more'] : [],
});

export const widgetV1beta1 = version({
  description: 'A Widget, with its looks apart from the rest.',
  spec: Type.Object({
    appearance: Type.Optional(
      Type.Object({ colour: Type.Optional(Colour), size: Type.Optional(Size) }, { default: {} }),
    ),
    count: Type.Optional(Replicas),
    ports: Type.Optional(Ports),
    tags: Type.Optional(Tags),
    ...commonFields,
  }),
  status: WidgetStatus,
  columns: [
    { name: 'Colour', cell: ({ spec }) => spec.appearance?.colour ?? '' },
    { name: 'Count', type: 'integer', cell: ({ spec }) => spec.count ?? null },
  ],
  selectableFields: ['spec.appearance.colour'],
});

export const widgetV1alpha1 = version({
  description: 'A Widget as it was in the beginning.',
  deprecated: {
    since: 'v1.30',
    unavailableIn: 'v1.40',
    use: 'everything.example.com/v1 Widget',
  },
  spec: Type.Object({
    color: Type.Optional(Type.String({ default: 'red' })),
    count: Type.Optional(Replicas),
    ports: Type.Optional(
      Type.Array(Type.String({ description: 'Such as 80/TCP.', pattern: '^\\d{1,5}/(TCP|UDP)$' }), {
        'x-kubernetes-list-type': 'set',
      }),
    ),
    tags: Type.Optional(Tags),
  }),
  status: WidgetStatus,
});
