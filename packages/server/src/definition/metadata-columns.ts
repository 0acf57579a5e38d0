import type { KubeObject } from '@tributary/apimachinery';
import type { ColumnInput } from './version.ts';

type AnyObject = Pick<KubeObject, 'metadata'>;

export const nameColumn: ColumnInput<AnyObject> = {
  name: 'Name',
  description: 'The name of the object, by which it is addressed',
  cell: ({ metadata }) => metadata.name ?? '',
};

export const ageColumn: ColumnInput<AnyObject> = {
  name: 'Age',
  type: 'date',
  description: 'How long ago the object was created',
  cell: ({ metadata }) => metadata.creationTimestamp ?? null,
};
