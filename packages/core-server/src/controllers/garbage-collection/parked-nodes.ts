import type { WorkQueue } from '@tributary/client';
import type { GraphNode } from './graph-node.ts';

/** Objects about which nothing can be found out before a server is back, or a kind is served. */
export interface ParkedNodes {
  park(node: GraphNode, apiVersion: string): void;
  /** It has its turn. */
  unpark(node: GraphNode): void;
  /** Those that waited for something that need not be waited for any more have their turn again. */
  wake(isAway: (apiVersion: string) => boolean): void;
  readonly size: number;
}

/** Nobody tells of everything that could help, so somebody looks. */
const LOOK_AGAIN_MS = 30_000;

/** Never more than there are in the graph. */
export function parkedNodes(queue: WorkQueue<GraphNode>): ParkedNodes {
  const parked = new Map<GraphNode, string>();
  return {
    park(node, apiVersion) {
      parked.set(node, apiVersion);
      queue.addAfter(node, LOOK_AGAIN_MS);
    },
    unpark: (node) => void parked.delete(node),
    wake(isAway) {
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
