/** Every row of the aggregator. A row deletes its registrations: rows share one server. */
import type { Row, RowGroup } from '../../differential/row.ts';
import { availability } from './availability.ts';
import { discovery } from './discovery.ts';
import { proxy } from './proxy.ts';
import { sample } from './sample.ts';

export const groups: readonly RowGroup[] = [discovery, sample, proxy, availability];

export const rows: readonly Row[] = groups.flatMap((group) => group.rows);
