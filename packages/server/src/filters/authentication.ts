import { unauthorized } from '@tributary/apimachinery';
import { isIdentityHeader } from '@tributary/client/http';
import {
  type Authentication,
  type Authenticator,
  anonymous,
  type CredentialNotes,
} from '../request/authenticator.ts';
import type { ApiRequest, ApiResponse, Filter, UserInfo } from '../request/pipeline.ts';
import type { MutableRequest } from '../request/request-context.ts';
import { statusResponse } from '../request/status-response.ts';

export interface AuthenticationOptions {
  readonly authenticate: Authenticator;
  /** Configured identity headers besides the standard ones, in lower case. */
  readonly isCustomIdentityHeader?: (name: string) => boolean;
  readonly observe?: (result: Authentication, tookMs: number) => void;
  /** Called for invalid credentials; the client does not see the reason. */
  readonly onRejected?: (request: ApiRequest, why: string) => void;
  /** Writes a rejected request to the audit log. */
  readonly auditRefusal?: (request: ApiRequest, response: ApiResponse) => void;
}

/** An invalid credential is 401, never anonymous. */
export function withAuthentication(options: AuthenticationOptions): Filter {
  const { authenticate, observe, isCustomIdentityHeader: isCustom } = options;
  const isUnwanted =
    isCustom === undefined
      ? isIdentityHeader
      : (name: string) => isIdentityHeader(name) || isCustom(name);

  return (next) => {
    const proceed = (request: ApiRequest, result: Authentication, startMs: number) => {
      observe?.(result, performance.now() - startMs);
      if (result.outcome !== 'authenticated') return reject(request, result, options);
      const known = request as MutableRequest;
      known.user = result.user;
      if (result.notes !== undefined) applyNotes(request, result.notes);
      // Identity headers must not be trusted again further in, or by a backend.
      known.headers = request.headers.without(isUnwanted);
      if (isAnonymous(result.user)) request.peer.goAway?.();
      return next(request);
    };
    return (request) => {
      const startMs = performance.now();
      const result = authenticate(request);
      if (result instanceof Promise) {
        return result.then((awaited) => proceed(request, awaited, startMs));
      }
      return proceed(request, result, startMs);
    };
  };
}

function applyNotes({ warnings, context }: ApiRequest, notes: CredentialNotes): void {
  for (const text of notes.warnings ?? []) warnings.add(text);
  if (context !== undefined) context.auditAnnotations = notes.annotations;
}

function reject(
  request: ApiRequest,
  result: Authentication,
  { onRejected, auditRefusal }: AuthenticationOptions,
): ApiResponse {
  if (result.outcome === 'rejected') onRejected?.(request, result.reason);
  // HTTP/2 connections make floods cheap, so unauthenticated clients get one request each.
  request.peer.goAway?.();
  const response = statusResponse(unauthorized());
  auditRefusal?.(request, response);
  return response;
}

function isAnonymous({ name, groups }: UserInfo): boolean {
  return name === anonymous.name || groups.includes('system:unauthenticated');
}
