import type { WorkQueue } from '@tributary/client';
import type { GraphNode } from './graph-node.ts';

/**
 * Nodes that wait for a seat at a busy server, first in, first out. With backoff instead, a newer node could overtake
 * others many times. At most as many as nodes in the graph.
 */
export class BusyServerQueues {
  readonly #queue: WorkQueue<GraphNode>;
  readonly #isBusy: (apiVersion: string) => boolean;
  readonly #waiting = new Map<string, Set<GraphNode>>();

  constructor(queue: WorkQueue<GraphNode>, isBusy: (apiVersion: string) => boolean) {
    this.#queue = queue;
    this.#isBusy = isBusy;
  }

  add(node: GraphNode, apiVersion: string): void {
    // The server has responded meanwhile, and no further notification may follow.
    if (!this.#isBusy(apiVersion)) {
      this.#queue.add(node);
      return;
    }
    const nodes = this.#waiting.get(apiVersion) ?? new Set();
    this.#waiting.set(apiVersion, nodes.add(node));
  }

  /** Called when the node is processed. */
  remove(node: GraphNode): void {
    for (const apiVersion of this.#waiting.keys()) this.#delete(node, apiVersion);
  }

  /** Queues the first node of each server that is no longer busy. */
  releaseNext(): void {
    for (const [apiVersion, nodes] of this.#waiting) {
      const [first] = nodes;
      if (first === undefined || this.#isBusy(apiVersion)) continue;
      this.#delete(first, apiVersion);
      this.#queue.add(first);
    }
  }

  #delete(node: GraphNode, apiVersion: string): void {
    const nodes = this.#waiting.get(apiVersion);
    if (nodes?.delete(node) && nodes.size === 0) this.#waiting.delete(apiVersion);
  }
}
