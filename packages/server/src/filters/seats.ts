import type { Clock } from '@tributary/storage';
import type { SeatFigures } from '../operations/metrics/system-metrics.ts';
import type { LongRunningCheck } from '../request/long-running.ts';
import type { ApiRequest, Filter } from '../request/pipeline.ts';
import { type FlowControl, withFlowControl } from './flow-control.ts';
import { inFlightQueues, withInFlightLimit } from './in-flight.ts';
import { RequestMaxima } from './request-maxima.ts';

interface SeatOptions {
  readonly flowControl?: FlowControl;
  readonly maxRequestsInFlight?: number;
  readonly maxMutatingRequestsInFlight?: number;
}

export const MAX_REQUESTS_IN_FLIGHT = 400;
export const MAX_MUTATING_REQUESTS_IN_FLIGHT = 200;

/** Flow control where it is configured; otherwise limits of reads and of writes. */
export function seatFilter(
  config: SeatOptions,
  clock: Clock,
  estimate?: (request: ApiRequest) => number,
): { readonly filter: (isLongRunning: LongRunningCheck) => Filter; readonly figures: SeatFigures } {
  const { flowControl: control } = config;
  if (control !== undefined) {
    const peaks = new RequestMaxima();
    return {
      filter: (isLongRunning) =>
        withFlowControl({ control, peaks, clock, isLongRunning, estimate }),
      figures: peaks,
    };
  }
  const queues = inFlightQueues({
    clock,
    requestsMax: config.maxRequestsInFlight ?? MAX_REQUESTS_IN_FLIGHT,
    mutatingRequestsMax: config.maxMutatingRequestsInFlight ?? MAX_MUTATING_REQUESTS_IN_FLIGHT,
  });
  return {
    filter: (isLongRunning) => withInFlightLimit(queues, isLongRunning),
    figures: queues,
  };
}
