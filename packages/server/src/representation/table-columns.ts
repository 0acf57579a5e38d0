import type { KubeObject } from '@tributary/apimachinery';
import type { Column } from '../definition/version.ts';

/** The value of one cell of a Table's row. */
export type CellValue =
  /** A JSON value. */
  | { readonly kind: 'fixed'; readonly value: unknown }
  /** The duration since a time, computed when the row is sent. */
  | { readonly kind: 'age'; readonly sinceMs: number };

export interface TableColumn {
  readonly definition: {
    readonly name: string;
    readonly type: Column['type'];
    readonly format: string;
    readonly description: string;
    readonly priority: number;
  };
  readonly showsAge: boolean;
  /** May throw an error of an author's function. */
  readonly cell: (object: KubeObject) => CellValue;
  /** The cell of a bookmark, which has no object. */
  readonly emptyCell: unknown;
}

/**
 * Without author's columns a Table has upstream's default columns; with them it looks like that of a custom resource,
 * unless they define the name column themselves: then they are all columns.
 */
export function tableColumns(
  columns: readonly Column[],
  { isTyped = false }: { readonly isTyped?: boolean } = {},
): readonly TableColumn[] {
  if (columns.length === 0) return [nameColumn, createdAtColumn];
  const own = columns.map(authorColumn);
  const whole = own.some(({ definition }) => definition.name === 'Name')
    ? own
    : [nameColumn, ...own, ageColumn];
  return isTyped ? whole.map(asBuiltIn) : whole;
}

/** Built-in kinds show times as text, like all other cells. */
function asBuiltIn(column: TableColumn): TableColumn {
  const { definition, showsAge, cell } = column;
  if (!showsAge) return column;
  return {
    ...column,
    definition: { ...definition, type: 'string' },
    cell: (object) => {
      const value = cell(object);
      return value.kind === 'fixed' && value.value === null ? fixed(UNKNOWN) : value;
    },
    emptyCell: UNKNOWN,
  };
}

const UNKNOWN = '<unknown>';

const nameColumn: TableColumn = {
  definition: {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'The name of the object, by which it is addressed',
    priority: 0,
  },
  showsAge: false,
  cell: ({ metadata }) => fixed(metadata.name ?? ''),
  emptyCell: '',
};

/** Go's zero time, which upstream shows in a bookmark. */
const NEVER = '0001-01-01T00:00:00Z';

const createdAtColumn: TableColumn = {
  definition: {
    name: 'Created At',
    type: 'date',
    format: '',
    description: 'When the object was created, by the clock of the server',
    priority: 0,
  },
  showsAge: false,
  // Upstream would show the zero time; only computed objects have no creationTimestamp.
  cell: ({ metadata }) => fixed(metadata.creationTimestamp ?? UNKNOWN),
  emptyCell: NEVER,
};

const ageColumn: TableColumn = {
  definition: {
    name: 'Age',
    type: 'date',
    format: '',
    description: 'How long ago the object was created',
    priority: 0,
  },
  showsAge: true,
  cell: ({ metadata }) => ageOf(metadata.creationTimestamp ?? null) ?? fixed(UNKNOWN),
  emptyCell: UNKNOWN,
};

function authorColumn(column: Column): TableColumn {
  const { name, type, description, priority, cell, showsTime, bookmarkCell = null } = column;
  const showsAge = type === 'date' && !showsTime;
  const { format = name === 'Name' ? 'name' : '' } = column;
  return {
    definition: { name, type, format, description, priority },
    showsAge,
    cell: (object) => {
      // An author's function may return something else than its type promises.
      const value: unknown = cell(object);
      return showsAge ? (ageOf(value) ?? fixed(null)) : fixed(value ?? null);
    },
    emptyCell: bookmarkCell,
  };
}

/**
 * As upstream shows the dates of custom resources: no cell for a value that is not text, `<invalid>` for an invalid
 * time.
 */
function ageOf(value: unknown): CellValue | undefined {
  if (typeof value !== 'string') return undefined;
  const sinceMs = Date.parse(value);
  return Number.isNaN(sinceMs) ? fixed('<invalid>') : { kind: 'age', sinceMs };
}

function fixed(value: unknown): CellValue {
  return { kind: 'fixed', value };
}
