import type { AuditLog } from '../operations/audit/audit-log.ts';
import type { Shutdown } from '../operations/shutdown.ts';
import type { LongRunningCheck } from '../request/long-running.ts';
import type { Filter } from '../request/pipeline.ts';
import { type AnswerHeaderOptions, withAnswerHeaders } from './answer-headers.ts';
import { auditRefusal, withAudit } from './audit.ts';
import { type AuthenticationOptions, withAuthentication } from './authentication.ts';
import { type AuthorizationOptions, withAuthorization } from './authorization.ts';
import { withCors } from './cors.ts';
import { type DeadlineOptions, withDeadline } from './deadline.ts';
import { withGoaway } from './goaway.ts';
import { type ImpersonationOptions, withImpersonation } from './impersonation.ts';
import { type ObservationOptions, withObservation } from './observation.ts';
import { withRequestInfo } from './request-info.ts';
import { withShutdown } from './shutdown.ts';
import { withStatusErrors } from './status-errors.ts';

export interface FilterOptions {
  readonly isLongRunning: LongRunningCheck;
  readonly observation: ObservationOptions;
  readonly answerHeaders: AnswerHeaderOptions;
  readonly goaway: { readonly chance: number; readonly random: () => number };
  readonly shutdown: Shutdown;
  readonly deadline: DeadlineOptions;
  readonly corsAllowedOrigins: readonly RegExp[];
  readonly authentication: AuthenticationOptions;
  /** Absent: nothing is written down. */
  readonly auditLog: AuditLog | undefined;
  readonly impersonation: ImpersonationOptions;
  /** Bounds how many requests are served at once. */
  readonly seats: (isLongRunning: LongRunningCheck) => Filter;
  readonly authorization: AuthorizationOptions;
  /** A failure that is our own bug; the client gets a 500 without its details. */
  readonly reportBug: (error: unknown) => void;
}

/** The filters of every request, outermost first; what is not configured costs nothing. */
export function serverFilters(options: FilterOptions): readonly Filter[] {
  const { auditLog, corsAllowedOrigins, goaway, isLongRunning } = options;
  return [
    withObservation(options.observation), // numbers the request, and sees every answer, also a failure's
    withAnswerHeaders(options.answerHeaders), // so that failures carry them too
    withStatusErrors(options.reportBug), // thrown meaning becomes a Status, so the filters above see answers only
    withRequestInfo, // who is asked for decides everything further in
    ...(goaway.chance > 0 ? [withGoaway(goaway)] : []), // whatever becomes of the request
    withShutdown(options.shutdown, isLongRunning), // before anything is spent on a request that is turned away
    withDeadline({ ...options.deadline, isLongRunning }), // inside the error filter: running out of time is an error like others
    ...(corsAllowedOrigins.length > 0 ? [withCors(corsAllowedOrigins)] : []), // preflights carry no credential
    withAuthentication({
      ...options.authentication,
      ...(auditLog && { auditRefusal: auditRefusal(auditLog) }),
    }), // a bad credential is 401 before anything is looked up
    ...(auditLog ? [withAudit(auditLog, isLongRunning)] : []), // knows the user, and sees what all filters below decide
    withImpersonation(options.impersonation), // audit writes down both users; everybody below sees one
    options.seats(isLongRunning), // fair between users, so it must know them
    withAuthorization(options.authorization), // 403 precedes 404: who may not look does not learn what exists
  ];
}
