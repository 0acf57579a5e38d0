import type { WorkQueue } from '@tributary/client';
import type { GraphNode } from './graph-node.ts';

/**
 * Objects that wait until a server is asked less. They stand in line: pauses that grow would let in whoever comes at the
 * right moment, and where many wait some would wait for minutes.
 */
interface BusyLines {
  wait(node: GraphNode, apiVersion: string): void;
  /** It has its turn. */
  leave(node: GraphNode): void;
  /** Lets in the first of each line whose server can be asked. */
  next(): void;
}

/** Never more than there are in the graph. */
export function busyLines(
  queue: WorkQueue<GraphNode>,
  isBusy: (apiVersion: string) => boolean,
): BusyLines {
  const lines = new Map<string, Set<GraphNode>>();
  const remove = (node: GraphNode, apiVersion: string, line: Set<GraphNode>) => {
    if (line.delete(node) && line.size === 0) lines.delete(apiVersion);
  };
  return {
    wait(node, apiVersion) {
      // Whoever was asked has answered meanwhile, and nobody will say so again.
      if (!isBusy(apiVersion)) return queue.add(node);
      const line = lines.get(apiVersion) ?? new Set();
      lines.set(apiVersion, line.add(node));
    },
    leave(node) {
      for (const [apiVersion, line] of lines) remove(node, apiVersion, line);
    },
    next() {
      for (const [apiVersion, line] of lines) {
        const [first] = line;
        if (first === undefined || isBusy(apiVersion)) continue;
        remove(first, apiVersion, line);
        queue.add(first);
      }
    },
  };
}
