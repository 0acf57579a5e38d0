/** Columns of Tables. */
import type { ObjectMeta } from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';

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

interface TableColumns<Object> {
  /** Between the name and the age. */
  readonly columns?: readonly ColumnInput<Object>[];
  readonly afterAge?: readonly ColumnInput<Object>[];
  /** After all others, in wide output only. */
  readonly wide?: readonly ColumnInput<Object>[];
  /** The text of the name column. Default: the name. */
  readonly nameOf?: (object: Object) => string | undefined;
}

/** The columns of most kinds upstream: the name, columns of the kind, the age, and columns of wide output. */
export function tableColumns<Object extends { metadata: ObjectMeta }>({
  columns = [],
  afterAge = [],
  wide = [],
  nameOf,
}: TableColumns<Object>): readonly ColumnInput<Object>[] {
  const name = nameOf
    ? { ...nameColumn, cell: (object: Object) => nameOf(object) ?? object.metadata.name ?? '' }
    : nameColumn;
  const wideOnly = wide.map((one) => ({ ...one, priority: 1 }));
  return [name, ...columns, ageColumn, ...afterAge, ...wideOnly];
}
