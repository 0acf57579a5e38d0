import { formatGroupVersion, type KubeObject } from '@tributary/apimachinery';
import { type Client, type Clock, Reflector } from '@tributary/client';
import type { KindResource } from './discover-kinds.ts';
import type { ObservedKind } from './graph.ts';
import type { GraphChanges } from './graph-changes.ts';
import { metadataSource, type SourceBounds } from './metadata-source.ts';
import { observedObject } from './observed-object.ts';

/** The watch of one resource, which keeps nothing: what matters of an object goes to the graph. */
export interface Monitor {
  close(): Promise<void>;
}

export interface MonitorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly changes: GraphChanges;
  /** Undefined: its server is trusted. */
  readonly bounds?: SourceBounds | undefined;
  /** The graph has all objects of the resource. */
  readonly onSynced: () => void;
  /** An object of it has come, changed or gone. */
  readonly onEvent?: (() => void) | undefined;
  readonly onError: (error: unknown) => void;
}

export function startMonitor(resource: KindResource, options: MonitorOptions): Monitor {
  const { client, clock, changes, bounds, onSynced, onEvent, onError } = options;
  const kind = observedKind(resource);
  const stop = new AbortController();
  const reflector = new Reflector<KubeObject>(
    metadataSource(client, resource, bounds),
    {
      replace: (objects) => {
        const observed = objects.map(({ metadata }) => observedObject(metadata));
        changes.push({ type: 'replaced', kind, objects: observed, done: onSynced });
        onEvent?.();
      },
      apply: ({ type, object }) => {
        const change = type === 'DELETED' ? 'removed' : 'observed';
        changes.push({ type: change, kind, object: observedObject(object.metadata) });
        onEvent?.();
      },
    },
    { clock, onError },
  );
  const running = reflector.run(stop.signal);
  return {
    close: () => {
      stop.abort(new Error('the resource is watched no longer'));
      return running;
    },
  };
}

export function observedKind(resource: KindResource): ObservedKind {
  return { apiVersion: formatGroupVersion(resource), kind: resource.kind };
}
