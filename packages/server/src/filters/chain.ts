import type { AuditLog } from '../operations/audit/audit-log.ts';
import type { Shutdown } from '../operations/shutdown.ts';
import type { LongRunningCheck } from '../request/long-running.ts';
import type { Filter } from '../request/pipeline.ts';
import { auditRefusal, withAudit } from './audit.ts';
import { type AuthenticationOptions, withAuthentication } from './authentication.ts';
import { type AuthorizationOptions, withAuthorization } from './authorization.ts';
import { withCors } from './cors.ts';
import { type DeadlineOptions, withDeadline } from './deadline.ts';
import { withGoaway } from './goaway.ts';
import { type ImpersonationOptions, withImpersonation } from './impersonation.ts';
import { type ObservationOptions, withObservation } from './observation.ts';
import { withRequestInfo } from './request-info.ts';
import { type ResponseHeaderOptions, withResponseHeaders } from './response-headers.ts';
import { withShutdown } from './shutdown.ts';
import { withStatusErrors } from './status-errors.ts';

interface FilterOptions {
  readonly isLongRunning: LongRunningCheck;
  readonly observation: ObservationOptions;
  readonly responseHeaders: ResponseHeaderOptions;
  readonly goaway: { readonly chance: number; readonly random: () => number };
  readonly shutdown: Shutdown;
  readonly deadline: DeadlineOptions;
  readonly corsAllowedOrigins: readonly RegExp[];
  readonly authentication: AuthenticationOptions;
  /** Undefined without audit. */
  readonly auditLog: AuditLog | undefined;
  readonly impersonation: ImpersonationOptions;
  /** Limits the requests in flight. */
  readonly seats: (isLongRunning: LongRunningCheck) => Filter;
  readonly authorization: AuthorizationOptions;
  /** Receives internal errors; the client gets a 500 without details. */
  readonly reportBug: (error: unknown) => void;
}

/** The filters of every request, outermost first; unconfigured ones are left out. */
export function serverFilters(options: FilterOptions): readonly Filter[] {
  const { auditLog, corsAllowedOrigins, goaway, isLongRunning } = options;
  return [
    withObservation(options.observation), // assigns the audit ID, and observes every response, including failures
    withResponseHeaders(options.responseHeaders), // outside of the error filter, so that failures have the headers, too
    withStatusErrors(options.reportBug), // converts errors to Status responses, so the filters above see responses only
    withRequestInfo, // parses the path, on which everything further in depends
    ...(goaway.chance > 0 ? [withGoaway(goaway)] : []), // independent of the outcome
    withShutdown(options.shutdown, isLongRunning), // before any work on a request that is rejected
    withDeadline({ ...options.deadline, isLongRunning }), // inside the error filter: a timeout is an error like others
    ...(corsAllowedOrigins.length > 0 ? [withCors(corsAllowedOrigins)] : []), // preflight requests have no credentials
    withAuthentication({
      ...options.authentication,
      ...(auditLog && { auditRefusal: auditRefusal(auditLog) }),
    }), // an invalid credential is 401 before any lookup
    ...(auditLog ? [withAudit(auditLog, isLongRunning)] : []), // after authentication, and observes the decisions of all filters below
    withImpersonation(options.impersonation), // audit records both users; the filters below see one
    options.seats(isLongRunning), // after authentication, because it is fair between users
    withAuthorization(options.authorization), // 403 precedes 404: without permission, a client does not learn which objects exist
  ];
}
