import type { Event } from '@tributary/api/core-v1';
import {
  dns1123SubdomainErrors,
  type FieldError,
  fieldError,
  qualifiedNameErrors,
  root,
} from '@tributary/apimachinery';

const REPORTING_INSTANCE_BYTES_MAX = 128;

const ACTION_BYTES_MAX = 128;

const REASON_BYTES_MAX = 128;

const MESSAGE_BYTES_MAX = 1024;

/** The name of the field in each group. */
type ReporterField = 'reportingComponent' | 'reportingController';

/** For the core group, where creates and updates have the same rules. */
export function validateEvent(event: Event): FieldError[] {
  return commonErrors(event, 'reportingComponent');
}

/** An event with eventTime has the rules of `events.k8s.io`, in both groups. */
export function commonErrors(event: Event, reporterField: ReporterField): FieldError[] {
  const { namespace = '' } = event.metadata;
  return [
    ...(event.eventTime
      ? timedErrors(event, namespace, reporterField)
      : placeErrors(event, namespace)),
    ...dns1123SubdomainErrors(namespace).map((detail) =>
      fieldError.invalid(root('namespace'), namespace, detail),
    ),
  ];
}

/** An event is in the namespace of its object; for cluster-scoped objects, in `default`. */
function placeErrors({ involvedObject }: Event, namespace: string): FieldError[] {
  const about = involvedObject?.namespace ?? '';
  const fits = about === '' ? namespace === '' || namespace === 'default' : about === namespace;
  return fits ? [] : [misplaced(about)];
}

function timedErrors(event: Event, namespace: string, reporterField: ReporterField): FieldError[] {
  const { reportingComponent = '', reportingInstance = '' } = event;
  const { action = '', reason = '', message = '' } = event;
  const about = event.involvedObject?.namespace ?? '';
  const errors: FieldError[] = [];
  if (about === '' && namespace !== 'default' && namespace !== 'kube-system') {
    errors.push(misplaced(about));
  }
  const reporter = root(reporterField);
  if (reportingComponent === '') errors.push(fieldError.required(reporter));
  for (const detail of qualifiedNameErrors(reportingComponent)) {
    errors.push(fieldError.invalid(reporter, reportingComponent, detail));
  }
  errors.push(
    ...filledErrors('reportingInstance', reportingInstance, REPORTING_INSTANCE_BYTES_MAX),
    ...filledErrors('action', action, ACTION_BYTES_MAX),
    ...filledErrors('reason', reason, REASON_BYTES_MAX),
    ...lengthErrors('message', message, MESSAGE_BYTES_MAX),
  );
  return errors;
}

function misplaced(namespace: string): FieldError {
  const path = root('involvedObject', 'namespace');
  return fieldError.invalid(path, namespace, 'does not match event.namespace');
}

function filledErrors(name: string, value: string, bytesMax: number): FieldError[] {
  return value === '' ? [fieldError.required(root(name))] : lengthErrors(name, value, bytesMax);
}

function lengthErrors(name: string, value: string, bytesMax: number): FieldError[] {
  if (Buffer.byteLength(value) <= bytesMax) return [];
  // Upstream shows no value, and counts bytes as characters.
  return [fieldError.invalid(root(name), '', `can have at most ${bytesMax} characters`)];
}
