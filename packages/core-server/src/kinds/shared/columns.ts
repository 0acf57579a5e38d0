import type { ColumnInput } from '@tributary/server';

/** A column with a name, some words and a cell. */
export function column<Object>(
  name: string,
  description: string,
  cell: ColumnInput<Object>['cell'],
): ColumnInput<Object> {
  return { name, description, cell };
}

export function count<Object>(
  name: string,
  description: string,
  cell: (object: Object) => number | undefined,
): ColumnInput<Object> {
  return { name, type: 'integer', description, cell: (object) => cell(object) ?? 0 };
}

export function flag<Object>(
  name: string,
  description: string,
  cell: (object: Object) => boolean | undefined,
): ColumnInput<Object> {
  return { name, type: 'boolean', description, cell: (object) => cell(object) ?? false };
}
