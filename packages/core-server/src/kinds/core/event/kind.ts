import { Event } from '@tributary/api/core-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { eventColumns } from './columns.ts';
import { validateEvent } from './validation.ts';

/** Shared with Event of `events.k8s.io`, which serves the same objects. */
export const eventNames = {
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  scope: 'Namespaced',
  names: 'path-segment',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
} as const;

/** Events expire `ttlSeconds` after their last write. */
export function eventKind({
  ttlSeconds,
}: {
  readonly ttlSeconds: number;
}): ResourceDefinition<Event> {
  return defineResource({
    ...eventNames,
    lifecycle: { ttlSeconds, ignoresOwnership: true },
    versions: {
      v1: version({
        typed: Event,
        columns: eventColumns,
        restrictsFieldLabels: true,
        validate: validateEvent,
        selectableFields: [
          ...referenceFields.map((field) => `involvedObject.${field}`),
          'reason',
          'reportingComponent',
          {
            path: 'source',
            value: ({ source, reportingComponent }) => source.component || reportingComponent,
          },
          'type',
        ],
      }),
    },
  });
}

export const referenceFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;
