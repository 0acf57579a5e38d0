import { serviceUnavailable } from '@tributary/apimachinery';
import type { Shutdown } from '../operations/shutdown.ts';
import { isWatch, type LongRunningCheck } from '../request/long-running.ts';
import type { Filter } from '../request/pipeline.ts';
import { onRequestEnd } from '../request/request-context.ts';

const RETRY_AFTER_SECONDS = 1;

/** Rejects requests during shutdown; long-running requests can be ended. */
export const withShutdown =
  (shutdown: Shutdown, isLongRunning: LongRunningCheck = isWatch): Filter =>
  (next) =>
  (request) => {
    if (shutdown.isDraining) {
      request.peer.goAway?.();
      throw serviceUnavailable('apiserver is shutting down', RETRY_AFTER_SECONDS);
    }
    if (isLongRunning(request.info)) {
      onRequestEnd(request, shutdown.addLongRunning(request.cancellation));
    }
    return next(request);
  };
