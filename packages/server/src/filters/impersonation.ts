import { StatusError } from '@tributary/apimachinery';
import { isImpersonationHeader } from '@tributary/client/http';
import type { AccessRequest, Authorizer } from '../request/authorizer.ts';
import type { ApiRequest, ApiResponse, Filter, Handler, UserInfo } from '../request/pipeline.ts';
import type { MutableRequest } from '../request/request-context.ts';
import { withHeaders } from '../request/respond.ts';
import { statusResponse } from '../request/status-response.ts';
import { cacheKeys, LastModes } from './impersonation-cache.ts';
import { impersonationWanted } from './impersonation-headers.ts';
import { type Impersonated, impersonationModes } from './impersonation-modes.ts';

export interface ImpersonationOptions {
  readonly authorize: Authorizer;
  readonly nowMs: () => number;
  /** `mode` is empty when none allowed it. */
  readonly observe?: (attempt: {
    readonly mode: string;
    readonly decision: 'allowed' | 'denied';
    readonly tookMs: number;
  }) => void;
}

/**
 * Lets a user impersonate another, if allowed. After audit, which records both users; before the limits and
 * authorization, which see only the impersonated user.
 */
export function withImpersonation(options: ImpersonationOptions): Filter {
  const impersonate = impersonation(options);
  return (next) => (request) => {
    const headers = request.headers.without(isImpersonationHeader);
    if (headers === request.headers) return next(request);
    const wanted = wantedBy(request);
    if (wanted instanceof StatusError) return refused(wanted);
    (request as MutableRequest).headers = headers;
    return wanted === undefined ? next(request) : goOnAs(request, { wanted, impersonate, next });
  };
}

function wantedBy({ headers }: ApiRequest): UserInfo | StatusError | undefined {
  try {
    return impersonationWanted(headers);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

type Impersonate = (wanted: UserInfo, access: AccessRequest) => Promise<Impersonated | StatusError>;

async function goOnAs(
  request: ApiRequest,
  { wanted, impersonate, next }: { wanted: UserInfo; impersonate: Impersonate; next: Handler },
): Promise<ApiResponse> {
  const { user, info, cancellation } = request;
  const outcome = await impersonate(wanted, { user, info, cancellation });
  if (outcome instanceof StatusError) return refused(outcome);
  (request as MutableRequest).user = outcome.user;
  request.context?.audit?.impersonate(outcome.user, outcome.constraint);
  return next(request);
}

function refused(error: StatusError): ApiResponse {
  return withHeaders(statusResponse(error), [['X-Content-Type-Options', 'nosniff']]);
}

/** Tries the modes in order, but first the one by which this user last succeeded. */
function impersonation({ authorize, nowMs, observe }: ImpersonationOptions): Impersonate {
  const modes = impersonationModes(authorize, nowMs);
  const lastModes = new LastModes();

  return async (wanted, access) => {
    const startMs = performance.now();
    const keys = cacheKeys(wanted, access.user, access.info);
    const last = lastModes.get(access.user.name);
    const rest = modes.keys().filter((index) => index !== last);
    let first: StatusError | undefined;
    for (const index of last === undefined ? rest : [last, ...rest]) {
      const mode = modes[index];
      const outcome = await mode?.check({ wanted, access, keys });
      if (outcome instanceof StatusError) {
        first ??= outcome;
      } else if (mode !== undefined && outcome !== undefined) {
        if (index !== last) lastModes.set(access.user.name, index);
        observe?.({ mode: mode.name, decision: 'allowed', tookMs: performance.now() - startMs });
        return outcome;
      }
    }
    observe?.({ mode: '', decision: 'denied', tookMs: performance.now() - startMs });
    // The legacy mode applies to every user, so at least one mode has denied.
    if (first === undefined) throw new Error('all impersonation modes failed');
    return first;
  };
}
