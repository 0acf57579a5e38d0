import type { WorkQueue } from '@tributary/client';
import type { GraphNode } from './graph-node.ts';

/** Nodes that cannot be decided before a server is available or a kind is served. */
interface ParkedNodes {
  /** The number of wake-ups. */
  readonly wakes: number;
  /** `wakes` is the number before the attempt: after a wake-up during the attempt the node is queued at once. */
  park(node: GraphNode, apiVersion: string, wakes: number): void;
  /** Called when the node is processed. */
  unpark(node: GraphNode): void;
  /** Queues nodes whose server is no longer unavailable. */
  wake(isAway: (apiVersion: string) => boolean): void;
  readonly size: number;
}

/** Not every change is notified, so parked nodes are retried. */
const RETRY_MS = 30_000;

/** At most as many as nodes in the graph. */
export function parkedNodes(queue: WorkQueue<GraphNode>): ParkedNodes {
  const parked = new Map<GraphNode, string>();
  let wakes = 0;
  return {
    get wakes() {
      return wakes;
    },
    park(node, apiVersion, before) {
      if (wakes !== before) return queue.add(node);
      parked.set(node, apiVersion);
      queue.addAfter(node, RETRY_MS);
    },
    unpark: (node) => void parked.delete(node),
    wake(isAway) {
      wakes += 1;
      for (const [node, apiVersion] of parked) {
        if (isAway(apiVersion)) continue;
        parked.delete(node);
        queue.add(node);
      }
    },
    get size() {
      return parked.size;
    },
  };
}
