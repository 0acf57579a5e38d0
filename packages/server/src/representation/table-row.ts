import { humanDuration, type KubeObject, parseJson, stringifyJson } from '@tributary/apimachinery';
import type { Chunks } from './form.ts';
import { memoryOf, ownBytes } from './own-bytes.ts';
import type { CellValue, TableColumn } from './table-columns.ts';

/** A shared row: bytes with a gap for each cell that depends on the clock. */
export interface TableRow {
  /** Of the object; empty when it has none. */
  readonly resourceVersion: string;
  /** One more than there are gaps. */
  readonly segments: Chunks;
  /** The time that each gap shows the duration since. */
  readonly sinceMs: readonly number[];
}

interface RowSource {
  readonly columns: readonly TableColumn[];
  /** The whole object. */
  readonly bytes: Uint8Array;
  /** The bytes after the cells. */
  readonly tail: Chunks;
  /** Reports an author's cell that failed; the cell is null then. */
  readonly reportProblem: (error: unknown) => void;
}

/** The object is parsed for this row and not cached: a Table has many objects, which would evict others. */
export function makeRow({ columns, bytes, tail, reportProblem }: RowSource): TableRow {
  const object = parseJson(bytes) as KubeObject;
  const texts: string[] = ['{"cells":['];
  const sinceMs: number[] = [];
  for (const [index, column] of columns.entries()) {
    if (index > 0) texts.push(`${texts.pop()},`);
    const cell = cellOf(column, object, reportProblem);
    if (cell.kind === 'age') {
      sinceMs.push(cell.sinceMs);
      texts.push('');
    } else {
      texts.push(texts.pop() + cell.json);
    }
  }
  const last = Buffer.from(`${texts.pop()}]`);
  return {
    resourceVersion: object.metadata.resourceVersion ?? '',
    segments: [...texts.map((text) => ownBytes([Buffer.from(text)])), ownBytes([last, ...tail])],
    sinceMs,
  };
}

/** Memory of a row. */
export function rowMemory({ segments, sinceMs }: TableRow): number {
  return segments.reduce((sum, segment) => sum + memoryOf(segment), 8 * sinceMs.length);
}

/** The row with durations as of a time. */
export function filledRow({ segments, sinceMs }: TableRow, nowMs: number): Chunks {
  if (sinceMs.length === 0) return segments;
  return segments.flatMap((segment, index) => {
    const since = sinceMs[index];
    // A duration contains nothing that JSON would escape.
    return since === undefined
      ? [segment]
      : [segment, Buffer.from(`"${humanDuration(nowMs - since)}"`)];
  });
}

type RowCell = { kind: 'fixed'; json: string } | (CellValue & { kind: 'age' });

/** An error in a cell must not fail the list. */
function cellOf(
  column: TableColumn,
  object: KubeObject,
  reportProblem: (error: unknown) => void,
): RowCell {
  try {
    const cell = column.cell(object);
    // Functions and symbols are no data and cannot be shown.
    return cell.kind === 'age'
      ? cell
      : { kind: 'fixed', json: stringifyJson(cell.value) ?? 'null' };
  } catch (cause) {
    const { name = '', namespace = '' } = object.metadata;
    const text = `the column ${column.definition.name} of ${object.kind} ${namespace}/${name} has no value`;
    reportProblem(new Error(text, { cause }));
    return { kind: 'fixed', json: 'null' };
  }
}
