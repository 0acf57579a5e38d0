import type { DependencyGraph, ObservedKind } from './graph.ts';
import type { ObservedObject } from './observed-object.ts';

export type GraphChange = { readonly kind: ObservedKind } & (
  | { readonly type: 'observed' | 'removed'; readonly object: ObservedObject }
  /** All objects of the kind. */
  | { readonly type: 'replaced'; readonly objects: readonly ObservedObject[]; done(): void }
  /** The kind is no longer watched. */
  | { readonly type: 'forgotten' }
);

/** Changes from watches on their way to the graph, in order and in time slices: a long list does not delay requests. */
export interface GraphChanges {
  /** Throws when too many changes are queued; the watch then starts over. */
  push(change: GraphChange): void;
  /** Drops queued changes. */
  close(): void;
}

const CHANGES_MAX = 100_000;
const TURN_MS = 5;
/** Steps between two reads of the clock. */
const STEPS_PER_LOOK = 64;

export function graphChanges(graph: DependencyGraph): GraphChanges {
  let waiting: GraphChange[] = [];
  let steps: Iterator<void> | undefined;
  let isScheduled = false;
  let isClosed = false;
  /** Whether there is more to do. */
  const step = (): boolean => {
    if (steps === undefined) {
      if (waiting.length === 0) return false;
      steps = stepsOf(graph, waiting);
      waiting = [];
    }
    if (steps?.next().done) steps = undefined;
    return true;
  };
  const takeTurn = () => {
    isScheduled = false;
    const endMs = performance.now() + TURN_MS;
    while (performance.now() < endMs) {
      for (let count = 0; count < STEPS_PER_LOOK; count += 1) if (!step()) return;
    }
    schedule();
  };
  const schedule = () => {
    if (isScheduled || isClosed) return;
    isScheduled = true;
    setImmediate(takeTurn);
  };
  return {
    push(change) {
      if (waiting.length >= CHANGES_MAX && change.type !== 'forgotten') {
        throw new Error(`${CHANGES_MAX} changes are queued`);
      }
      waiting.push(change);
      schedule();
    },
    close() {
      isClosed = true;
      waiting = [];
      steps = undefined;
    },
  };
}

/** One step per object. */
function* stepsOf(graph: DependencyGraph, changes: readonly GraphChange[]): Generator<void, void> {
  for (const change of changes) {
    const { kind } = change;
    switch (change.type) {
      case 'observed':
        graph.observe(kind, change.object);
        break;
      case 'removed':
        graph.remove(kind, change.object);
        break;
      case 'forgotten':
        graph.forget(kind);
        break;
      case 'replaced': {
        const uids = new Set<string>();
        for (const object of change.objects) {
          uids.add(object.uid);
          graph.observe(kind, object);
          yield;
        }
        graph.retain(kind, uids);
        change.done();
      }
    }
    yield;
  }
}
