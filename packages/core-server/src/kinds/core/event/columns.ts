import type { Event } from '@tributary/api/core-v1';
import type { ColumnInput } from '@tributary/server';

/** All of its columns: the name of an event says little, so it stands last and in wide output only. */
export const eventColumns: readonly ColumnInput<Event>[] = [
  {
    name: 'Last Seen',
    type: 'date',
    description: 'When it happened last',
    cell: lastSeen,
  },
  {
    name: 'Type',
    description: 'Normal or Warning',
    cell: ({ type }) => type ?? '',
  },
  {
    name: 'Reason',
    description: 'What happened, in a word for programs',
    cell: ({ reason }) => reason ?? '',
  },
  {
    name: 'Object',
    description: 'What it is about',
    cell: ({ involvedObject: { kind = '', name = '' } }) =>
      name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
  },
  {
    name: 'Subobject',
    priority: 1,
    description: 'Which part of the object it is about',
    cell: ({ involvedObject }) => involvedObject.fieldPath ?? '',
  },
  {
    name: 'Source',
    priority: 1,
    description: 'Who reports it, and where',
    cell: reporter,
  },
  {
    name: 'Message',
    description: 'What happened, in a sentence for people',
    // As Go trims: a byte order mark is no space to it.
    cell: ({ message = '' }) => message.replace(/^[^\S\uFEFF]+|[^\S\uFEFF]+$/g, ''),
  },
  {
    name: 'First Seen',
    type: 'date',
    priority: 1,
    description: 'When it happened first',
    cell: firstSeen,
  },
  {
    name: 'Count',
    priority: 1,
    description: 'How often it happened',
    cell: ({ series, count }) => (series ? (series.count ?? 0) : count || 1),
  },
  {
    name: 'Name',
    priority: 1,
    description: 'The name of the event itself',
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
