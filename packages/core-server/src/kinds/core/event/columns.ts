import type { Event } from '@tributary/api/core-v1';
import type { ColumnInput } from '@tributary/server';

/** All columns: the name of an event says little, so it is last and in wide output only. */
export const eventColumns: readonly ColumnInput<Event>[] = [
  {
    name: 'Last Seen',
    type: 'date',
    description: 'The time of the last occurrence',
    cell: lastSeen,
  },
  {
    name: 'Type',
    description: 'Normal or Warning',
    cell: ({ type }) => type ?? '',
  },
  {
    name: 'Reason',
    description: 'The reason, for programs',
    cell: ({ reason }) => reason ?? '',
  },
  {
    name: 'Object',
    description: 'The object that the event is about',
    cell: ({ involvedObject: { kind = '', name = '' } }) =>
      name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
  },
  {
    name: 'Subobject',
    priority: 1,
    description: 'The field path within the object',
    cell: ({ involvedObject }) => involvedObject.fieldPath ?? '',
  },
  {
    name: 'Source',
    priority: 1,
    description: 'The component that reports the event',
    cell: reporter,
  },
  {
    name: 'Message',
    description: 'The description, for people',
    // As Go's TrimSpace, for which a byte order mark is no space.
    cell: ({ message = '' }) => message.replace(/^[^\S\uFEFF]+|[^\S\uFEFF]+$/g, ''),
  },
  {
    name: 'First Seen',
    type: 'date',
    priority: 1,
    description: 'The time of the first occurrence',
    cell: firstSeen,
  },
  {
    name: 'Count',
    priority: 1,
    description: 'The number of occurrences',
    cell: ({ series, count }) => (series ? (series.count ?? 0) : count || 1),
  },
  {
    name: 'Name',
    priority: 1,
    description: 'The name of the event',
    cell: ({ metadata }) => metadata.name ?? '',
  },
];

function firstSeen({ firstTimestamp, eventTime }: Event): string | null {
  return firstTimestamp ?? eventTime;
}

function lastSeen(event: Event): string | null {
  if (event.series) return event.series.lastObservedTime;
  return event.lastTimestamp ?? firstSeen(event);
}

function reporter({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || reportingComponent;
  const instance = source.host || reportingInstance;
  return instance === '' ? component : `${component}, ${instance}`;
}
