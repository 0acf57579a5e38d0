/** Every row of the aggregator. What a row registers it also deletes: rows share one server. */
import type { Row, RowGroup } from '../../differential/row.ts';
import { discovery } from './discovery.ts';

export const groups: readonly RowGroup[] = [discovery];

export const rows: readonly Row[] = groups.flatMap((group) => group.rows);
