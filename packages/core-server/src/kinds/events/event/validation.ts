import { isDeepStrictEqual } from 'node:util';
import type { Event, EventSource, ObjectReference } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  fieldImmutable,
  type GoText,
  goJson,
  goText,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { commonErrors } from '../../core/event/validation.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';

/** Validates a create in `events.k8s.io`. */
export function validateNewEvent(event: Event): FieldError[] {
  const errors = [
    ...commonErrors(event, 'reportingController'),
    ...metadataErrors(event, { namespaced: true, validateName: validateDnsSubdomainName }),
    ...seriesErrors(event),
  ];
  const { eventTime, type = '', source = {} } = event;
  if (!eventTime) errors.push(fieldError.required(root('eventTime')));
  if (type !== 'Normal' && type !== 'Warning') {
    errors.push(fieldError.invalid(root('type'), '', `has invalid value: ${type}`));
  }
  if (event.firstTimestamp) errors.push(needsToBeUnset('firstTimestamp'));
  if (event.lastTimestamp) errors.push(needsToBeUnset('lastTimestamp'));
  if (event.count) errors.push(needsToBeUnset('count'));
  if (source.component || source.host) errors.push(needsToBeUnset('source'));
  return errors;
}

/** Validates an update in `events.k8s.io`, besides the metadata: only the series can change. */
export function validateNewEventUpdate(next: Event, live: Event): FieldError[] {
  const unchanged = (name: keyof Event, shown: (event: Event) => unknown): FieldError[] =>
    isDeepStrictEqual(next[name] ?? emptyOf(name), live[name] ?? emptyOf(name))
      ? []
      : [fieldError.invalid(root(internalNames[name] ?? name), shown(next), fieldImmutable)];
  return [
    ...commonErrors(next, 'reportingController'),
    ...metadataUpdateErrors(next, live),
    ...(isDeepStrictEqual(next.series, live.series) ? [] : seriesErrors(next)),
    ...unchanged('involvedObject', ({ involvedObject }) => goReference(involvedObject)),
    ...unchanged('reason', ({ reason = '' }) => reason),
    ...unchanged('message', ({ message = '' }) => message),
    ...unchanged('source', ({ source }) => goSource(source)),
    ...unchanged('firstTimestamp', ({ firstTimestamp }) => firstTimestamp ?? null),
    ...unchanged('lastTimestamp', ({ lastTimestamp }) => lastTimestamp ?? null),
    ...unchanged('count', ({ count = 0 }) => count),
    ...unchanged('type', ({ type = '' }) => type),
    ...unchanged('eventTime', ({ eventTime }) => eventTime ?? null),
    ...unchanged('action', ({ action = '' }) => action),
    ...unchanged('related', ({ related }) => (related ? goReference(related) : null)),
    ...unchanged('reportingComponent', ({ reportingComponent = '' }) => reportingComponent),
    ...unchanged('reportingInstance', ({ reportingInstance = '' }) => reportingInstance),
  ];
}

function seriesErrors({ series }: Event): FieldError[] {
  if (!series) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) {
    errors.push(fieldError.invalid(root('series', 'count'), '', 'should be at least 2'));
  }
  if (!series.lastObservedTime) {
    errors.push(fieldError.required(root('series', 'lastObservedTime')));
  }
  return errors;
}

function needsToBeUnset(name: string): FieldError {
  return fieldError.invalid(root(name), '', 'needs to be unset');
}

/** The field whose internal name upstream differs from that of the core group. */
const internalNames: Readonly<Partial<Record<keyof Event, string>>> = {
  reportingComponent: 'reportingController',
};

function emptyOf(name: keyof Event): unknown {
  if (name === 'involvedObject' || name === 'source') return {};
  if (name === 'count') return 0;
  return name === 'related' || name.endsWith('Timestamp') || name === 'eventTime' ? null : '';
}

/** Upstream's internal struct as JSON, with Go field names. */
function goReference(reference: ObjectReference | undefined): GoText {
  const { kind = '', namespace = '', name = '', uid = '' } = reference ?? {};
  const { apiVersion = '', resourceVersion = '', fieldPath = '' } = reference ?? {};
  return goStruct([
    ['Kind', kind],
    ['Namespace', namespace],
    ['Name', name],
    ['UID', uid],
    ['APIVersion', apiVersion],
    ['ResourceVersion', resourceVersion],
    ['FieldPath', fieldPath],
  ]);
}

function goSource(source: EventSource | undefined): GoText {
  return goStruct([
    ['Component', source?.component ?? ''],
    ['Host', source?.host ?? ''],
  ]);
}

function goStruct(fields: readonly (readonly [string, string])[]): GoText {
  return goText(`{${fields.map(([name, value]) => `"${name}":${goJson(value)}`).join(',')}}`);
}
