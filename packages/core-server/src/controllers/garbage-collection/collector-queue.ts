import {
  createWorkQueue,
  exponentialRateLimiter,
  runWorkers,
  type WorkQueue,
} from '@tributary/client';
import type { ControllerSurroundings } from '../surroundings.ts';
import { GroupAway, GroupBusy, NamespacedOwner, NotSeenYet, UnknownKind } from './errors.ts';
import type { GraphNode } from './graph-node.ts';
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
  { clock, log, signal }: Pick<ControllerSurroundings, 'clock' | 'log' | 'signal'>,
): CollectorQueue {
  const rateLimiter = exponentialRateLimiter<GraphNode>({
    baseMs: RETRY_MS_MIN,
    maxMs: RETRY_MS_MAX,
  });
  const queue = createWorkQueue<GraphNode>({ clock, rateLimiter });
  const parked = parkedNodes(queue);
  signal.addEventListener('abort', () => queue.close(), { once: true });
  const attempt = async (node: GraphNode, work: (node: GraphNode) => Promise<void>) => {
    parked.unpark(node);
    try {
      await work(node);
    } catch (error) {
      if (error instanceof NamespacedOwner) return;
      if (!(error instanceof GroupAway) && !(error instanceof UnknownKind)) throw error;
      log.verbose(4, 'The garbage collector waits', { ...describe(node), why: error.message });
      parked.park(node, error.apiVersion);
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
          if (signal.aborted || error instanceof NotSeenYet || error instanceof GroupBusy) return;
          log.verbose(2, 'The garbage collector could not do its work, and tries again', {
            ...describe(node),
            err: String(error),
          });
        },
      }),
  };
}
