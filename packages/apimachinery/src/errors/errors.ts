/**
 * Constructors of the errors that clients see, named after their reason. Codes, reasons, messages and details
 * are those of upstream's `k8s.io/apimachinery/pkg/api/errors`, because users and controllers match on them.
 * docs/reference/errors.md lists every constructor; a test compares both.
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

/** The request is malformed. */
export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

/** No authenticator accepted the request's credentials. */
export function unauthorized(message = 'Unauthorized'): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message });
}

/** An authorizer or an admission plugin denied the request. An empty resource stands for non-resource paths. */
export function forbidden(
  resource: GroupResource,
  name: string,
  detail: string,
  causes?: StatusCause[],
): StatusError {
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${forbiddenSubject(resource, name)}forbidden: ${detail}`,
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

/** No resource matches a path inside a served group and version. */
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

/** The resource does not support the verb: `watch is not supported on resources of kind "R.G"`. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind ${goQuote(qualifiedResource(resource))}`,
    details: resourceDetails(resource, ''),
  });
}

/** No media type of the `Accept` header can be served. */
export function notAcceptable(mediaTypes: readonly string[]): StatusError {
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${mediaTypes.join(', ')}`,
  });
}

/** The media type can be served, but not with the requested conversion of this object. */
export function notConvertible(message: string): StatusError {
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

/** The name is taken. `beingDeleted` is set when the existing object has a deletionTimestamp. */
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

/** All names generated from `generateName` are taken. */
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

/** The object was modified by another write, or a precondition does not hold; `cause` is the text after the colon. */
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

/** A server-side apply sets fields that other managers own. */
export function applyConflict(message: string, causes: StatusCause[]): StatusError {
  return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

/**
 * The requested revision is compacted. With `options.continue` a client can continue the list, which is then
 * inconsistent.
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

/** The request body is larger than the limit. */
export function requestEntityTooLarge(limitBytes: number): StatusError {
  return tooLarge(`limit is ${limitBytes}`);
}

/** A JSON Patch has more operations than the server applies. */
export function tooManyPatchOperations(limit: number, actual: number): StatusError {
  return tooLarge(`The allowed maximum operations in a JSON patch is ${limit}, got ${actual}`);
}

/** A document has more list items, map entries and fields than are decoded on the event loop. */
export function tooManyValues(document: string, limit: number): StatusError {
  return tooLarge(`${document} may hold at most ${limit} values`);
}

/** The endpoint does not decode the `Content-Type`. */
export function unsupportedMediaType(mediaTypes: readonly string[]): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(', ')}`,
  });
}

/** Validation failed. `details.kind` is the Kind, not the resource; kubectl prints it. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const fieldErrors = inReportedOrder(errors);
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

/** The endpoint does not accept the `Content-Type` of a PATCH; the message is that of upstream's router. */
export function unsupportedPatchType(): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
}

/** A patch cannot be applied. Like upstream, the message does not name the failed operation. */
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

/** The client must retry later; the `Retry-After` header is taken from the details. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message,
    details: { retryAfterSeconds },
  });
}

/** A bug or a failed component of the server. The cause is for the log. */
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

/** A stored object cannot be decoded: it is corrupt, or encrypted with an unknown key. */
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

/** Storage is unreachable. Clients retry the 500 because of its `Retry-After`. */
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

/** An error that upstream returns without a reason; the text is the whole message. */
export function plainError(message: string, code = 500): StatusError {
  return new StatusError({ code, message });
}

/** This server or its backend cannot respond at the moment. */
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

/** The requested resourceVersion is ahead of the store. Reflectors match on the cause and relist. */
export function tooLargeResourceVersion(
  requested: number | bigint | string,
  current: number | bigint | string,
  retryAfterSeconds: number,
): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds,
    },
  });
}

/** The Status of a response to a thrown error. Anything but a StatusError is a bug and becomes a 500 with its message. */
export function statusFromError(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  return plainError(error instanceof Error ? error.message : String(error)).status;
}

function tooLarge(detail: string): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: ${detail}`,
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
