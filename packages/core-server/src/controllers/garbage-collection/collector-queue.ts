import {
  createWorkQueue,
  exponentialRateLimiter,
  runWorkers,
  type WorkQueue,
} from '@tributary/client';
import type { ControllerDependencies } from '@tributary/client/controller';
import { busyLines } from './busy-server-queues.ts';
import { GroupAway, GroupBusy, NamespacedOwner, NotSeenYet, UnknownKind } from './errors.ts';
import type { GraphNode } from './graph-node.ts';
import type { GroupHealth } from './group-health.ts';
import { formatReference } from './object-reference.ts';
import { parkedNodes } from './parked-nodes.ts';

export interface CollectorQueue {
  readonly queue: WorkQueue<GraphNode>;
  /** Servers or kinds have come or gone. */
  wake(isAway: (apiVersion: string) => boolean): void;
  /** Works until the signal fires. */
  run(work: (node: GraphNode) => Promise<void>): Promise<void>;
}

/** As upstream. */
const WORKERS = 20;
const RETRY_MS_MIN = 5;
const RETRY_MS_MAX = 60_000;

/** Objects that are looked at; with what cannot be decided now they come again when it may be. */
export function collectorQueue(
  name: string,
  health: Pick<GroupHealth, 'isBusy' | 'followSeats'>,
  { clock, log, signal }: Pick<ControllerDependencies, 'clock' | 'log' | 'signal'>,
): CollectorQueue {
  const rateLimiter = exponentialRateLimiter<GraphNode>({
    baseMs: RETRY_MS_MIN,
    maxMs: RETRY_MS_MAX,
  });
  const queue = createWorkQueue<GraphNode>({ clock, rateLimiter });
  const parked = parkedNodes(queue);
  const lines = busyLines(queue, (apiVersion) => health.isBusy(apiVersion));
  const leave = health.followSeats(() => lines.next());
  const close = () => {
    leave();
    queue.close();
  };
  signal.addEventListener('abort', close, { once: true });
  const attempt = async (node: GraphNode, work: (node: GraphNode) => Promise<void>) => {
    parked.unpark(node);
    lines.leave(node);
    const { wakes } = parked;
    try {
      await work(node);
    } catch (error) {
      if (error instanceof NamespacedOwner) return;
      if (error instanceof GroupBusy) return lines.wait(node, error.apiVersion);
      if (!(error instanceof GroupAway) && !(error instanceof UnknownKind)) throw error;
      log.verbose(4, 'The garbage collector waits', { ...describe(node), why: error.message });
      parked.park(node, error.apiVersion, wakes);
    } finally {
      // It may have taken no seat, and then none that is free lets in the next one.
      lines.next();
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
          if (signal.aborted || error instanceof NotSeenYet) return;
          log.verbose(2, 'The garbage collector could not do its work, and tries again', {
            ...describe(node),
            err: String(error),
          });
        },
      }),
  };
}
