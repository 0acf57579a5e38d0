import type { Event } from '@tributary/api/core-v1';
import type { Event as NewEvent } from '@tributary/api/events-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { eventColumns } from '../../core/event/columns.ts';
import { toCoreEvent } from './conversion.ts';

/** The columns of the core group, for objects of `events.k8s.io`. */
export const newEventColumns: readonly ColumnInput<NewEvent>[] = eventColumns.map((column) => ({
  ...column,
  cell: (event) => column.cell({ ...type(event), ...toCoreEvent(event) } as Event),
}));

export function type({ apiVersion, kind }: KubeObject): Pick<KubeObject, 'apiVersion' | 'kind'> {
  return { apiVersion, kind };
}
