import {
  createWorkQueue,
  exponentialRateLimiter,
  runWorkers,
  type WorkQueue,
} from '@tributary/client';
import type { ControllerDependencies } from '@tributary/client/controller';
import { BusyServerQueues } from './busy-server-queues.ts';
import {
  GroupBusy,
  GroupUnavailable,
  NamespacedOwner,
  NotObserved,
  UnknownKind,
} from './errors.ts';
import type { GraphNode } from './graph-node.ts';
import type { GroupHealth } from './group-health.ts';
import { formatReference } from './object-reference.ts';
import { parkedNodes } from './parked-nodes.ts';

export interface CollectorQueue {
  readonly queue: WorkQueue<GraphNode>;
  /** Called when servers or kinds appear or disappear. */
  wake(isAway: (apiVersion: string) => boolean): void;
  /** Processes nodes until the signal fires. */
  run(work: (node: GraphNode) => Promise<void>): Promise<void>;
}

/** As upstream. */
const WORKERS = 20;
const RETRY_MS_MIN = 5;
const RETRY_MS_MAX = 60_000;

/** Nodes to process. Nodes that cannot be decided now are parked until they can be. */
export function collectorQueue(
  name: string,
  health: Pick<GroupHealth, 'isBusy' | 'onRelease'>,
  { clock, log, signal }: Pick<ControllerDependencies, 'clock' | 'log' | 'signal'>,
): CollectorQueue {
  const rateLimiter = exponentialRateLimiter<GraphNode>({
    baseMs: RETRY_MS_MIN,
    maxMs: RETRY_MS_MAX,
  });
  const queue = createWorkQueue<GraphNode>({ clock, rateLimiter });
  const parked = parkedNodes(queue);
  const busy = new BusyServerQueues(queue, (apiVersion) => health.isBusy(apiVersion));
  const removeListener = health.onRelease(() => busy.releaseNext());
  const close = () => {
    removeListener();
    queue.close();
  };
  signal.addEventListener('abort', close, { once: true });
  const attempt = async (node: GraphNode, work: (node: GraphNode) => Promise<void>) => {
    parked.unpark(node);
    busy.remove(node);
    const { wakes } = parked;
    try {
      await work(node);
    } catch (error) {
      if (error instanceof NamespacedOwner) return;
      if (error instanceof GroupBusy) return busy.add(node, error.apiVersion);
      if (!(error instanceof GroupUnavailable) && !(error instanceof UnknownKind)) throw error;
      log.verbose(4, 'Garbage collection postponed', { ...describe(node), reason: error.message });
      parked.park(node, error.apiVersion, wakes);
    } finally {
      // An attempt without a seat does not notify the queues when it ends.
      busy.releaseNext();
    }
  };
  const describe = ({ identity }: GraphNode) => ({ name, object: formatReference(identity) });
  return {
    queue,
    wake: (isAway) => parked.wake(isAway),
    run: (work) =>
      runWorkers(queue, {
        concurrency: WORKERS,
        signal,
        work: (node) => attempt(node, work),
        onError: (error, node) => {
          if (signal.aborted || error instanceof NotObserved) return;
          log.verbose(2, 'Garbage collection failed, retrying', {
            ...describe(node),
            err: String(error),
          });
        },
      }),
  };
}
