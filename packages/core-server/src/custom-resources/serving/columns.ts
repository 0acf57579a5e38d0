import type { CustomResourceColumnDefinition } from '@tributary/api/apiextensions-v1';
import { stringifyJson } from '@tributary/apimachinery';
import type { Cell, ColumnInput } from '@tributary/server';
import { jsonPath } from './json-path.ts';

const AGE: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'When the object was created, by the clock of the server',
  jsonPath: '.metadata.creationTimestamp',
};

/** The columns of a version: the name, and the columns of the definition or, without any, the age. */
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
  // Validation accepts only these types.
  const type = definition.type as NonNullable<ColumnInput['type']>;
  // Parsed at first use: most columns of hundreds of definitions are never printed.
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
        // As upstream: the cell of a path that cannot be followed is empty.
        return null;
      }
    },
  };
}

/** As upstream, the first result of the path; null when it has another type than the column. */
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

/** With sorted keys and escaped HTML characters. */
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

/** A string, a number or a boolean as Go prints it. */
export function goText(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value) ? goFloat(value) : wholeText(value);
}

function wholeText(value: unknown): string {
  if (typeof value !== 'number') return String(value);
  return Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** The shortest decimal representation, with an exponent below -4 and from 21 on. */
function goFloat(value: number): string {
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 21) {
    const sign = exponent < 0 ? '-' : '+';
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  if (exponent >= 0) return String(value);
  const negative = digits.startsWith('-') ? '-' : '';
  const plain = digits.replace('-', '').replace('.', '');
  return `${negative}0.${'0'.repeat(-exponent - 1)}${plain}`;
}
