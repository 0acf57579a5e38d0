import type { Filter } from '../pipeline.ts';
import { withAuditId } from './audit-id.ts';
import { type Authenticator, withAuthentication } from './authentication.ts';
import { type Authorizer, withAuthorization } from './authorization.ts';
import { withCacheControl } from './cache-control.ts';
import { type DeadlineOptions, withDeadline } from './deadline.ts';
import { withRequestInfo } from './request-info.ts';
import { withStatusErrors } from './status-errors.ts';
import { withWarnings } from './warning-headers.ts';

export interface FilterOptions {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly deadline: DeadlineOptions;
  /** A failure that is our own bug; the client gets a 500 without its details. */
  readonly reportBug: (error: unknown) => void;
}

/** The filters of every request, outermost first. */
export function serverFilters(options: FilterOptions): readonly Filter[] {
  return [
    withAuditId, // every answer carries it, also a failure's
    withCacheControl, // nothing an API server says may be kept by a cache on the way
    withWarnings, // collects what anybody further in has to say
    withStatusErrors(options.reportBug), // thrown meaning becomes a Status, so the filters above see answers only
    withRequestInfo, // who is asked for decides everything further in
    withDeadline(options.deadline), // inside the error filter: running out of time is an error like others
    withAuthentication(options.authenticator), // a bad credential is 401 before anything is looked up
    withAuthorization(options.authorizer), // 403 precedes 404: who may not look does not learn what exists
  ];
}
