import { goQuote, plainError } from '@tributary/apimachinery';
import type { Answer, ApiRequest, ApiResponse, Filter, Handler, UserInfo } from '../pipeline.ts';
import type { RequestInfo } from '../request-info.ts';
import { withHeaders } from '../respond.ts';
import { statusResponse } from '../status-response.ts';
import { accessDenied } from './access-denied.ts';

export type Decision =
  | { readonly allowed: true; readonly reason?: string }
  /** `denied`: nobody else is asked. Otherwise whoever is asked next may allow it. */
  | { readonly allowed: false; readonly denied?: true; readonly reason?: string };

/** What somebody wants to do. Every request is one, and reviews ask about others that were never sent. */
export interface AccessRequest {
  readonly user: UserInfo;
  readonly info: AccessInfo;
  /** Ends the wait for a decision; absent where nobody waits. */
  readonly cancellation?: { readonly signal: AbortSignal };
}

/** The part of a request that permissions are about. */
export type AccessInfo = Pick<
  RequestInfo,
  | 'isResourceRequest'
  | 'verb'
  | 'path'
  | 'group'
  | 'version'
  | 'namespace'
  | 'resource'
  | 'subresource'
  | 'name'
  | 'fieldSelector'
  | 'labelSelector'
>;

/** Answers without a promise where it can. What it throws is an outage of its own, and answered 500. */
export type Authorizer = (request: AccessRequest) => Promise<Decision> | Decision;

export type AuthorizationResult = 'allowed' | 'denied' | 'no-opinion' | 'error';

export interface AuthorizationOptions {
  readonly authorize: Authorizer;
  readonly observe?: (result: AuthorizationResult, tookMs: number) => void;
  /** The authorizer itself failed. */
  readonly reportBug?: (error: unknown) => void;
}

export function withAuthorization({ authorize, observe, reportBug }: AuthorizationOptions): Filter {
  return (next) => {
    const proceed = (request: ApiRequest, decision: Decision, startMs: number) => {
      observe?.(resultOf(decision), performance.now() - startMs);
      return act(request, decision, next);
    };
    const fail = (request: ApiRequest, error: unknown, startMs: number): never => {
      observe?.('error', performance.now() - startMs);
      reportBug?.(error);
      const uri = goQuote(request.target ?? request.path);
      const why = error instanceof Error ? error.message : String(error);
      throw plainError(`Internal Server Error: ${uri}: ${why}`);
    };
    return (request) => {
      const startMs = performance.now();
      let decision: Promise<Decision> | Decision;
      try {
        decision = authorize(request);
      } catch (error) {
        return fail(request, error, startMs);
      }
      if (!(decision instanceof Promise)) return proceed(request, decision, startMs);
      return decision.then(
        (settled) => proceed(request, settled, startMs),
        (error: unknown) => fail(request, error, startMs),
      );
    };
  };
}

function resultOf(decision: Decision): AuthorizationResult {
  if (decision.allowed) return 'allowed';
  return decision.denied ? 'denied' : 'no-opinion';
}

function act(request: ApiRequest, decision: Decision, next: Handler): Answer {
  const audit = request.context?.audit;
  audit?.annotate('authorization.k8s.io/decision', decision.allowed ? 'allow' : 'forbid');
  audit?.annotate('authorization.k8s.io/reason', decision.reason ?? '');
  return decision.allowed ? next(request) : denied(request, decision.reason);
}

function denied(request: ApiRequest, reason: string | undefined): ApiResponse {
  return withHeaders(statusResponse(accessDenied(request, reason)), [
    ['X-Content-Type-Options', 'nosniff'],
  ]);
}
