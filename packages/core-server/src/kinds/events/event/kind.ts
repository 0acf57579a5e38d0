import type { Event } from '@tributary/api/core-v1';
import { Event as NewEvent } from '@tributary/api/events-v1';
import {
  type FieldError,
  invalid,
  type ObjectMeta,
  root,
  validateDnsSubdomainName,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
  withoutRepeats,
} from '@tributary/apimachinery';
import { allow, type ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { eventNames, referenceFields } from '../../core/event/kind.ts';
import { isStale } from '../../shared/outdated.ts';
import { newEventColumns } from './columns.ts';
import { eventConversion } from './conversion.ts';
import { validateNewEvent, validateNewEventUpdate } from './validation.ts';

export function newEventKind(event: ResourceDefinition<Event>): ResourceDefinition<NewEvent> {
  return defineResource({
    ...eventNames,
    storedAs: { group: '', resource: event, conversion: eventConversion },
    // The core group's kind validates events when they are stored; these are the rules of `events.k8s.io` beside them.
    admit: {
      create: ({ object }) => {
        const stored = storedEvent(object);
        throwInvalid(stored, validateNewEvent(withValidName(stored)));
        return allow;
      },
      update: ({ object, oldObject }) => {
        const [sent, live] = [storedEvent(object), storedEvent(oldObject)];
        if (isStale(sent, live)) return allow;
        const next = { ...sent, metadata: { ...sent.metadata, ...systemFields(live.metadata) } };
        const errors = validateNewEventUpdate(next, live);
        // The generic validation runs later and would not be reported.
        if (errors.length > 0) throwInvalid(live, [...commonMetadataErrors(next, live), ...errors]);
        return allow;
      },
    },
    versions: {
      v1: version({
        typed: NewEvent,
        columns: newEventColumns,
        restrictsFieldLabels: true,
        selectableFields: [
          'reason',
          ...referenceFields.map((field) => `regarding.${field}`),
          'reportingController',
          'type',
        ],
      }),
    },
  });
}

/** Admission rules get objects in their stored form, that of the core group. */
function storedEvent(object: NewEvent): Event {
  return object as unknown as Event;
}

/** A generated name has a suffix, so this name is as valid. */
function withValidName(event: Event): Event {
  const { name, generateName } = event.metadata;
  if (name || !generateName) return event;
  return { ...event, metadata: { ...event.metadata, name: `${generateName}x` } };
}

/** Metadata that an update cannot change. */
function systemFields(metadata: ObjectMeta): Partial<ObjectMeta> {
  const { uid, resourceVersion, creationTimestamp } = metadata;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return {
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
    ...(creationTimestamp && { creationTimestamp }),
    ...(deletionTimestamp && { deletionTimestamp, deletionGracePeriodSeconds }),
  };
}

function commonMetadataErrors({ metadata }: Event, live: Event): FieldError[] {
  const path = root('metadata');
  const rules = { namespaced: true, validateName: validateDnsSubdomainName, path };
  return [
    ...validateObjectMetaCreate(metadata, rules),
    ...validateObjectMetaUpdate(metadata, live.metadata, path),
  ];
}

function throwInvalid({ metadata }: Event, errors: ReturnType<typeof validateNewEvent>): void {
  if (errors.length === 0) return;
  throw invalid({ group: '', kind: 'Event' }, metadata.name ?? '', withoutRepeats(errors));
}
