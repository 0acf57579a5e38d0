import type { ListMeta } from '../meta/object.ts';

/** The machine-readable word of a failure; clients branch on it before they look at the code. */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'StorageReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'StorageReadError'
  | 'Expired'
  | 'ServiceUnavailable';

export interface StatusCause {
  /** The type of the cause; the wire calls it `reason`. */
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  /** The plural resource in most failures, the Kind in `Invalid`. */
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** `metav1.Status`; the fields stand in the order in which they are written. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: ListMeta;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: StatusReason;
  details?: StatusDetails;
  code?: number;
}

/** What a failure says; everything else of its Status is constant. */
export interface Failure {
  code: number;
  message: string;
  /** Absent for failures whose reason nobody knows; kubectl then prints no parenthesised reason. */
  reason?: StatusReason;
  details?: StatusDetails;
  metadata?: ListMeta;
}

/** A failure on its way to a client. `code` is the HTTP status. */
export class StatusError extends Error {
  readonly status: Status;
  readonly code: number;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'StatusError';
    this.code = failure.code;
    this.status = failureStatus(failure);
  }

  get reason(): StatusReason | undefined {
    return this.status.reason;
  }
}

/** The details of a removed object, which is what a delete answers when the kind does not return objects. */
export function successStatus(details: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: orderedDetails(details),
  };
}

/** Whether a decoded document is a Status, of any version. */
export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
}

function failureStatus({ code, message, reason, details, metadata }: Failure): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: metadata ?? {},
    status: 'Failure',
    ...(message !== '' && { message }),
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details: orderedDetails(details) }),
    code,
  };
}

/** Empty values are left out, as Go's `omitempty` does. */
function orderedDetails(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...(name && { name }),
    ...(group && { group }),
    ...(kind && { kind }),
    ...(uid && { uid }),
    ...(causes !== undefined && causes.length > 0 && { causes: causes.map(orderedCause) }),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  };
}

function orderedCause({ reason, message, field }: StatusCause): StatusCause {
  return { ...(reason && { reason }), ...(message && { message }), ...(field && { field }) };
}
