import { MAX_MUTATING_REQUESTS_IN_FLIGHT, MAX_REQUESTS_IN_FLIGHT } from '@tributary/server/filters';
import { systemClock } from '@tributary/storage';
import { FlowController } from '../flow-control/flow-controller.ts';
import { rejectionLog } from '../flow-control/rejection-log.ts';
import type { CoreServerConfig } from './core-config.ts';

/** Priority and fairness of a control plane, with the seats of reads and writes together. */
export function coreFlowControl({
  priorityAndFairness = true,
  server,
  log,
}: CoreServerConfig): FlowController | undefined {
  if (!priorityAndFairness) return undefined;
  const {
    clock = systemClock,
    maxRequestsInFlight: reads = MAX_REQUESTS_IN_FLIGHT,
    maxMutatingRequestsInFlight: writes = MAX_MUTATING_REQUESTS_IN_FLIGHT,
  } = server;
  return new FlowController({
    clock,
    seats: reads + writes,
    onRejected: rejectionLog(log, clock),
  });
}
