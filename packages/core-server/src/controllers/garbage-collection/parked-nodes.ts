import type { WorkQueue } from '@tributary/client';
import type { GraphNode } from './graph-node.ts';

/** Objects about which nothing can be found out before a server is back, or a kind is served. */
interface ParkedNodes {
  /** How often something came or went. */
  readonly wakes: number;
  /**
   * `wakes` is what it was when somebody began to find out that nothing can be found out: where something has come
   * since then, nobody will say so again, and the node has its turn at once.
   */
  park(node: GraphNode, apiVersion: string, wakes: number): void;
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
  let wakes = 0;
  return {
    get wakes() {
      return wakes;
    },
    park(node, apiVersion, before) {
      if (wakes !== before) return queue.add(node);
      parked.set(node, apiVersion);
      queue.addAfter(node, LOOK_AGAIN_MS);
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
