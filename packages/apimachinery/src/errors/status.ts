import type { ListMeta } from '../meta/object.ts';

/** The machine-readable reason of a failure; clients match on it before the code. */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
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
  /** The type of the cause, named `reason` in JSON. */
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

/** `metav1.Status`, with the fields in the order in which upstream encodes them. */
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

/** The variable fields of a failure's Status. */
export interface Failure {
  code: number;
  message: string;
  /** Absent where upstream sets none; kubectl then prints no reason in parentheses. */
  reason?: StatusReason;
  details?: StatusDetails;
  metadata?: ListMeta;
}

/** An error with the Status that the client receives. `code` is the HTTP status code. */
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

/** The response to a delete of a kind that does not return the deleted object. */
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

/** Omits empty values, like Go's `omitempty`. */
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
