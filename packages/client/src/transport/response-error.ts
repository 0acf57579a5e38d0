import {
  type Failure,
  parseJson,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
} from '@tributary/apimachinery';

export interface FailedResponse {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The maximum that is shown of a body that is no Status, as in client-go. */
const TEXT_MAX = 2048;

/** The Status in the response, or a readable error where a proxy or a broken server sent another body. */
export function responseError(response: FailedResponse): StatusError {
  const failure = statusFailure(response) ?? genericFailure(response);
  return new StatusError(failure);
}

/** `Retry-After` in seconds; other forms of the header are ignored, as in client-go. */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^[0-9]{1,9}$/.test(value) ? Number(value) : undefined;
}

/** Reads a Status of any origin: fields of the wrong type count as absent. */
export function failureOf(
  value: unknown,
  codeOtherwise: number,
): (Failure & { readonly details?: StatusDetails }) | undefined {
  const status = record(value);
  if (status?.kind !== 'Status' || status.status === 'Success') return undefined;
  const message = text(status.message) ?? '';
  const reason = text(status.reason);
  const details = detailsOf(status.details);
  const continueToken = text(record(status.metadata)?.continue);
  return {
    code: typeof status.code === 'number' && status.code > 0 ? status.code : codeOtherwise,
    message,
    // Servers may have reasons of their own; callers compare with the ones they know.
    ...(reason !== undefined && { reason: reason as StatusReason }),
    ...(details !== undefined && { details }),
    ...(continueToken !== undefined && { metadata: { continue: continueToken } }),
  };
}

function statusFailure(response: FailedResponse): Failure | undefined {
  const failure = failureOf(parsed(response.body), response.status);
  const retryAfter = retryAfterSeconds(response.headers);
  if (failure === undefined || retryAfter === undefined) return failure;
  return { ...failure, details: { retryAfterSeconds: retryAfter, ...failure.details } };
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined; // The body is no Status.
  }
}

function detailsOf(value: unknown): StatusDetails | undefined {
  const details = record(value);
  if (details === undefined) return undefined;
  const name = text(details.name);
  const group = text(details.group);
  const kind = text(details.kind);
  const uid = text(details.uid);
  const retryAfter = details.retryAfterSeconds;
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group }),
    ...(kind !== undefined && { kind }),
    ...(uid !== undefined && { uid }),
    ...(Array.isArray(details.causes) && { causes: details.causes.map(causeOf) }),
    ...(typeof retryAfter === 'number' && { retryAfterSeconds: retryAfter }),
  };
}

function causeOf(value: unknown): StatusCause {
  const cause = record(value);
  const reason = text(cause?.reason);
  const message = text(cause?.message);
  const field = text(cause?.field);
  return {
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(field !== undefined && { field }),
  };
}

/** client-go's messages for responses without a Status, with the request in parentheses. */
function genericFailure(response: FailedResponse): Failure {
  const { method, path, status } = response;
  const shown = shownText(response);
  const { reason, message } = genericReason(status, method, shown);
  const retryAfter = retryAfterSeconds(response.headers);
  return {
    code: status,
    message: `${message} (${method.toLowerCase()} ${path})`,
    ...(reason !== undefined && { reason }),
    details: {
      causes: [{ reason: 'UnexpectedServerResponse', message: shown }],
      ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
    },
  };
}

function genericReason(
  status: number,
  method: string,
  shown: string,
): { reason?: StatusReason; message: string } {
  if (status === 409) {
    const reason = method === 'POST' ? 'AlreadyExists' : 'Conflict';
    return { reason, message: 'the server reported a conflict' };
  }
  const known = GENERIC.get(status);
  if (known !== undefined) {
    return { reason: known.reason, message: known.message ?? shown };
  }
  if (status >= 500) {
    const message = `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`;
    return { reason: 'InternalError', message };
  }
  return {
    message: `the server responded with the status code ${status} but did not return more information`,
  };
}

/** Without a message the body is the message. */
const GENERIC: ReadonlyMap<number, { reason: StatusReason; message?: string }> = new Map([
  [400, { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' }],
  [
    401,
    {
      reason: 'Unauthorized',
      message: 'the server has asked for the client to provide credentials',
    },
  ],
  [403, { reason: 'Forbidden' }],
  [404, { reason: 'NotFound', message: 'the server could not find the requested resource' }],
  [
    405,
    {
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
    },
  ],
  [406, { reason: 'NotAcceptable' }],
  [415, { reason: 'UnsupportedMediaType' }],
  [
    422,
    {
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    },
  ],
  [
    429,
    {
      reason: 'TooManyRequests',
      message: 'the server has received too many requests and has asked us to try again later',
    },
  ],
  [
    503,
    {
      reason: 'ServiceUnavailable',
      message: 'the server is currently unable to handle the request',
    },
  ],
  [
    504,
    {
      reason: 'Timeout',
      message:
        'the server was unable to return a response in the time allotted, but may still be processing the request',
    },
  ],
]);

/** Only text is shown, and not an image. */
function shownText({ headers, body }: FailedResponse): string {
  const type = headers['content-type'] ?? 'text/plain';
  if (!type.startsWith('text/')) return 'unknown';
  return Buffer.from(body.subarray(0, TEXT_MAX)).toString('utf8').trim();
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
