/**
 * Constructors of the failures a client can see, named for their reason. Codes, reasons, messages and details
 * are those of upstream's `k8s.io/apimachinery/pkg/api/errors`, because people and controllers match on them.
 * Every constructor is listed in docs/reference/errors.md; a test compares.
 */

import {
  type GroupKind,
  type GroupResource,
  qualifiedKind,
  qualifiedResource,
} from '../meta/group-version.ts';
import { goQuote } from '../values/go-quote.ts';
import { aggregateText, type FieldError, fieldErrorBody, inReportedOrder } from './field-error.ts';
import { type Status, type StatusCause, type StatusDetails, StatusError } from './status.ts';

/** The request cannot be understood. */
export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

/** No authenticator knows the caller. */
export function unauthorized(message = 'Unauthorized'): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message });
}

/** An authorizer or an admission plugin says no; `why` is its text. An empty resource stands for non-resource paths. */
export function forbidden(
  resource: GroupResource,
  name: string,
  why: string,
  causes?: StatusCause[],
): StatusError {
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${forbiddenSubject(resource, name)}forbidden: ${why}`,
    details: { ...resourceDetails(resource, name), ...(causes !== undefined && { causes }) },
  });
}

/** The object does not exist. */
export function notFound(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedResource(resource)} ${goQuote(name)} not found`,
    details: resourceDetails(resource, name),
  });
}

/** No route inside a served group and version. */
export function noSuchResource(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

/** The route exists, the method does not. */
export function methodNotAllowed(): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

/** The resource cannot do this: `watch is not supported on resources of kind "R.G"`. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind ${goQuote(qualifiedResource(resource))}`,
    details: resourceDetails(resource, ''),
  });
}

/** None of the `Accept` clauses can be served. */
export function notAcceptable(mediaTypes: readonly string[]): StatusError {
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${mediaTypes.join(', ')}`,
  });
}

/** The media type could be served, but not as this transform of this object. */
export function notConvertible(message: string): StatusError {
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

/** The name is taken. `beingDeleted` when the object that has it is already on its way out. */
export function alreadyExists(
  resource: GroupResource,
  name: string,
  options: { readonly beingDeleted?: boolean } = {},
): StatusError {
  const prefix = options.beingDeleted === true ? 'object is being deleted: ' : '';
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${prefix}${qualifiedResource(resource)} ${goQuote(name)} already exists`,
    details: resourceDetails(resource, name),
  });
}

/** Every name made from `generateName` was taken. */
export function generateNameExhausted(
  resource: GroupResource,
  name: string,
  retryAfterSeconds = 1,
): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualifiedResource(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    details: { ...resourceDetails(resource, name), retryAfterSeconds },
  });
}

/** The write lost against another one, or a precondition does not hold; `cause` is the text after the colon. */
export function conflict(resource: GroupResource, name: string, cause: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedResource(resource)} ${goQuote(name)}: ${cause}`,
    details: resourceDetails(resource, name),
  });
}

/** The cause of a conflict on a stale `resourceVersion`. */
export const objectModified =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Server-side apply meets fields that other managers own. */
export function applyConflict(message: string, causes: StatusCause[]): StatusError {
  return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

/**
 * The revision asked for is compacted. `options.continue` is the token with which a client may go on,
 * at the price of an inconsistent list.
 */
export function expired(
  message: string,
  options: { readonly continue?: string } = {},
): StatusError {
  return new StatusError({
    code: 410,
    reason: 'Expired',
    message,
    ...(options.continue !== undefined && { metadata: { continue: options.continue } }),
  });
}

/** The body is larger than the limit. */
export function requestEntityTooLarge(limitBytes: number): StatusError {
  return tooLarge(`limit is ${limitBytes}`);
}

/** A JSON Patch has more operations than the server applies. */
export function tooManyPatchOperations(limit: number, actual: number): StatusError {
  return tooLarge(`The allowed maximum operations in a JSON patch is ${limit}, got ${actual}`);
}

/** A document holds more values than are read on the loop: list items, map entries and fields. */
export function tooManyValues(what: string, limit: number): StatusError {
  return tooLarge(`${what} may hold at most ${limit} values`);
}

/** The `Content-Type` is none that the endpoint reads. */
export function unsupportedMediaType(mediaTypes: readonly string[]): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(', ')}`,
  });
}

/** Validation failed. `details.kind` is the Kind here, not the resource; kubectl prints it. */
export function invalid(
  kind: GroupKind,
  name: string,
  foundErrors: readonly FieldError[],
): StatusError {
  const fieldErrors = inReportedOrder(foundErrors);
  const subject = `${qualifiedKind(kind)} ${goQuote(name)} is invalid`;
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: fieldErrors.length === 0 ? subject : `${subject}: ${aggregateText(fieldErrors)}`,
    details: {
      name,
      group: kind.group,
      kind: kind.kind,
      causes: fieldErrors.map((error) => ({
        reason: error.type,
        message: fieldErrorBody(error),
        field: error.field,
      })),
    },
  });
}

/** The `Content-Type` of a PATCH is none that the endpoint reads; upstream's router says it in fewer words. */
export function unsupportedPatchType(): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
}

/** A patch that cannot be applied. The client never learns which operation failed, upstream does not say. */
export function patchRejected(cause?: unknown): StatusError {
  return new StatusError(
    {
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    },
    { cause },
  );
}

/** Try again later; `Retry-After` is taken from the details. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message,
    details: { retryAfterSeconds },
  });
}

/** A bug or a broken part of the server. The cause is kept for the log. */
export function internalError(error: Error): StatusError {
  return new StatusError(
    {
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${error.message}`,
      details: { causes: [{ message: error.message }] },
    },
    { cause: error },
  );
}

/** A stored object is there and cannot be read: it is damaged, or it was encrypted with a key that is not known. */
export function storeReadError(key: string, error: Error): StatusError {
  return new StatusError(
    {
      code: 500,
      reason: 'StorageReadError',
      message: `unable to read the stored object ${key}: ${error.message}`,
      details: {
        causes: [{ reason: 'UnexpectedServerResponse', message: error.message, field: key }],
      },
    },
    { cause: error },
  );
}

/** Storage cannot be reached. The code is 500, which clients retry because of `Retry-After`. */
export function serverTimeout(
  resource: GroupResource,
  operation: string,
  retryAfterSeconds: number,
  options?: ErrorOptions,
): StatusError {
  return new StatusError(
    {
      code: 500,
      reason: 'ServerTimeout',
      message: `The ${operation} operation against ${qualifiedResource(resource)} could not be completed at this time, please try again.`,
      details: { ...resourceDetails(resource, operation), retryAfterSeconds },
    },
    options,
  );
}

/** An error that has no Status form upstream: its text is the message, and `reason` is left out. */
export function plainError(message: string, code = 500): StatusError {
  return new StatusError({ code, message });
}

/** This server, or the one behind it, cannot answer now. */
export function serviceUnavailable(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError({
    code: 503,
    reason: 'ServiceUnavailable',
    message,
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  });
}

/** The request took too long; the work may still complete. */
export function timeout(message: string, retryAfterSeconds = 0): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: ${message}`,
    details: { retryAfterSeconds },
  });
}

/** The client asks for a revision that the store has not reached. Reflectors look for the cause and start over. */
export function tooLargeResourceVersion(
  asked: number | bigint | string,
  current: number | bigint | string,
  retryAfterSeconds: number,
): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds,
    },
  });
}

/**
 * What the edge answers for anything that was thrown. An error that is no StatusError is a bug of ours and
 * becomes a plain 500 with its text.
 */
export function statusFromError(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  return plainError(error instanceof Error ? error.message : String(error)).status;
}

function tooLarge(why: string): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: ${why}`,
  });
}

function resourceDetails({ group, resource }: GroupResource, name: string): StatusDetails {
  return { name, group, kind: resource };
}

function forbiddenSubject(resource: GroupResource, name: string): string {
  if (resource.group === '' && resource.resource === '') return '';
  const qualified = qualifiedResource(resource);
  return name === '' ? `${qualified} is ` : `${qualified} ${goQuote(name)} is `;
}
