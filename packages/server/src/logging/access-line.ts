import { formatGoDuration } from '@tributary/apimachinery';
import { reportedVerb } from '../metrics/request-labels.ts';
import type { FinishedRequest } from '../metrics/request-metrics.ts';
import type { ApiRequest } from '../pipeline.ts';
import type { Logger } from './logger.ts';
import { withoutSecrets } from './secrets.ts';

/** As upstream: who asks for this much sees every request. */
export const accessLogVerbosity = 3;

/** A line for each request, with the fields of upstream; absent when nobody wants them. */
export function accessLogger(
  log: Logger,
): ((request: ApiRequest, finished: FinishedRequest) => void) | undefined {
  if (log.verbosity < accessLogVerbosity) return undefined;
  return (request, { code, tookMs }) => {
    log.verbose(accessLogVerbosity, 'HTTP', {
      verb: reportedVerb(request),
      URI: withoutSecrets(request.target ?? request.path),
      latency: goDuration(tookMs),
      userAgent: request.headers.get('user-agent') ?? '',
      'audit-ID': request.context?.auditId.slice(0, AUDIT_ID_MAX) ?? '',
      srcIP: request.peer.address,
      resp: code,
    });
  };
}

const AUDIT_ID_MAX = 64;
function goDuration(ms: number): string {
  return formatGoDuration(BigInt(Math.round(ms * 1e6)));
}
