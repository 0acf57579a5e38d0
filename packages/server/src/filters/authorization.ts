import { goQuote, plainError } from '@tributary/apimachinery';
import {
  type AuthorizationResult,
  type Authorizer,
  accessDenied,
  type Decision,
} from '../request/authorizer.ts';
import type {
  ApiRequest,
  ApiResponse,
  Filter,
  Handler,
  HandlerResult,
} from '../request/pipeline.ts';
import { withHeaders } from '../request/respond.ts';
import { statusResponse } from '../request/status-response.ts';

export interface AuthorizationOptions {
  readonly authorize: Authorizer;
  readonly observe?: (result: AuthorizationResult, tookMs: number) => void;
  /** Called when the authorizer itself fails. */
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

function act(request: ApiRequest, decision: Decision, next: Handler): HandlerResult {
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
