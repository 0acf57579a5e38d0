import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ColumnInput } from '@tributary/server';
import { nameColumn } from '@tributary/server/definition';
import { isTrue } from './conditions/condition.ts';

/** All columns: definitions show the time of their creation instead of their age. */
export const definitionColumns: readonly ColumnInput<CustomResourceDefinition>[] = [
  { ...nameColumn, bookmarkCell: '' },
  {
    name: 'Scope',
    description: 'Whether its objects are in namespaces',
    cell: ({ spec }) => spec.scope,
    bookmarkCell: '',
  },
  {
    name: 'Versions',
    description: 'The versions that are served, and which of them is stored',
    cell: servedVersions,
    bookmarkCell: '',
  },
  {
    name: 'Created At',
    type: 'date',
    showsTime: true,
    description: 'When the definition was created, by the clock of the server',
    cell: ({ metadata }) => metadata.creationTimestamp ?? null,
    // Go's zero time.
    bookmarkCell: '0001-01-01T00:00:00Z',
  },
  {
    name: 'Group',
    description: 'The API group of its objects',
    priority: 1,
    cell: ({ spec }) => spec.group,
    bookmarkCell: '',
  },
  {
    name: 'Kind',
    description: 'The kind of its objects',
    priority: 1,
    cell: ({ spec }) => spec.names.kind,
    bookmarkCell: '',
  },
  {
    name: 'ShortNames',
    description: 'Other names that clients accept for the resource',
    priority: 1,
    cell: ({ spec }) => (spec.names.shortNames ?? []).join(','),
    bookmarkCell: '',
  },
  {
    name: 'Established',
    type: 'boolean',
    description: 'Whether its resources are served',
    priority: 1,
    cell: (definition) => isTrue(definition, 'Established'),
    bookmarkCell: false,
  },
];

function servedVersions({ spec }: CustomResourceDefinition): string {
  return (spec.versions ?? [])
    .filter(({ served }) => served)
    .map(({ name, storage }) => (storage ? `${name}(storage)` : name))
    .sort()
    .join(',');
}
