import { formatGoDuration } from '@tributary/apimachinery';
import { isWatch } from '../../request/long-running.ts';
import type { ApiRequest } from '../../request/pipeline.ts';
import { reportedVerb } from '../metrics/request-labels.ts';
import type { FinishedRequest } from '../metrics/request-metrics.ts';
import type { LogFields } from './log-entry.ts';
import type { Logger } from './logger.ts';
import { withoutSecrets } from './secrets.ts';

/** As upstream: every request is logged from this verbosity on. */
const accessLogVerbosity = 3;

/** As upstream: the duration of a slow request. */
const SLOW_MS = 500;

/** Logs every request at that verbosity, with upstream's fields, and every slow request. */
export function requestLogger(
  log: Logger,
): (request: ApiRequest, finished: FinishedRequest) => void {
  const isWanted = log.verbosity >= accessLogVerbosity;
  return (request, finished) => {
    if (isWanted) log.verbose(accessLogVerbosity, 'HTTP', fieldsOf(request, finished));
    if (finished.tookMs >= SLOW_MS && !lastsLong(request, finished)) {
      log.info('Slow request', {
        ...fieldsOf(request, finished),
        waited: goDuration(finished.waitedMs),
      });
    }
  };
}

/** Logs the reason of a failed authentication, without the credential. */
export function refusalLogger(log: Logger): (request: ApiRequest, why: string) => void {
  return (request, why) =>
    log.error(why, 'Unable to authenticate the request', {
      verb: reportedVerb(request),
      URI: withoutSecrets(request.target ?? request.path),
      userAgent: request.headers.get('user-agent') ?? '',
      'audit-ID': auditIdOf(request),
      srcIP: request.peer.address,
      resp: 401,
    });
}

function fieldsOf(request: ApiRequest, { code, tookMs }: FinishedRequest): LogFields {
  return {
    verb: reportedVerb(request),
    URI: withoutSecrets(request.target ?? request.path),
    latency: goDuration(tookMs),
    userAgent: request.headers.get('user-agent') ?? '',
    'audit-ID': auditIdOf(request),
    srcIP: request.peer.address,
    resp: code,
  };
}

/** The duration of watches and connections is up to the client. */
function lastsLong({ info }: ApiRequest, { code }: FinishedRequest): boolean {
  return isWatch(info) || code === 101;
}

function auditIdOf({ context }: ApiRequest): string {
  return context?.auditId.slice(0, AUDIT_ID_MAX) ?? '';
}

const AUDIT_ID_MAX = 64;

function goDuration(ms: number): string {
  return formatGoDuration(BigInt(Math.round(ms * 1e6)));
}
