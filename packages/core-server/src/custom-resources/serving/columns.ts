import type { CustomResourceColumnDefinition } from '@tributary/api/apiextensions-v1';
import { stringifyJson } from '@tributary/apimachinery';
import type { Cell, ColumnInput } from '@tributary/server';
import { goText } from './go-text.ts';
import { jsonPath } from './json-path.ts';

const AGE: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'When the object was created, by the clock of the server',
  jsonPath: '.metadata.creationTimestamp',
};

/** The columns of a version: the name, and what the definition says; its age where that says nothing. */
export function customColumns(
  definitions: readonly CustomResourceColumnDefinition[] = [],
): readonly ColumnInput[] {
  const shown = definitions.length === 0 ? [AGE] : definitions;
  return [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'The name of the object, by which it is addressed',
      cell: ({ metadata }) => metadata.name ?? '',
      bookmarkCell: '',
    },
    ...shown.map(columnOf),
  ];
}

function columnOf(definition: CustomResourceColumnDefinition): ColumnInput {
  const { name, format = '', description = '', priority = 0 } = definition;
  // Validation has let through only these.
  const type = definition.type as NonNullable<ColumnInput['type']>;
  // Hundreds of definitions have columns that nobody asks for.
  let find: ReturnType<typeof jsonPath> | undefined;
  return {
    name,
    type,
    format,
    description:
      description === ''
        ? `Custom resource definition column (in JSONPath format): ${definition.jsonPath}`
        : description,
    priority,
    cell: (object) => {
      try {
        find ??= jsonPath(definition.jsonPath);
        const found = find(object);
        return found.length === 0 ? null : cellOf(type, found[0]);
      } catch {
        // As upstream: a path that leads nowhere in this object shows nothing.
        return null;
      }
    },
  };
}

/** Upstream shows the first of all results, and nothing where that is not of the type of the column. */
function cellOf(type: NonNullable<ColumnInput['type']>, value: unknown): Cell {
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? value : null;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '<no value>';
  return typeof value === 'object' ? goJson(value) : goText(value);
}

/** Keys in order, and without characters that mean something in HTML. */
function goJson(value: object): string {
  return stringifyJson(sorted(value)).replace(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
