import { formatGroupVersion, type KubeObject } from '@tributary/apimachinery';
import { type Client, type Clock, Reflector } from '@tributary/client';
import type { KindResource } from './discover-kinds.ts';
import type { ObservedKind } from './graph.ts';
import type { GraphChanges } from './graph-changes.ts';
import { type LocalMetadata, watchLocal } from './local-monitor.ts';
import { metadataSource, type SourceBounds } from './metadata-source.ts';
import { type ObservedObject, observedObject } from './observed-object.ts';

/** The watch of one resource. It stores nothing: changes go to the graph. */
export interface Monitor {
  close(): Promise<void>;
}

export interface MonitorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly changes: GraphChanges;
  /** Undefined for trusted servers. */
  readonly bounds?: SourceBounds | undefined;
  /** Absent for resources of other servers. */
  readonly localMetadata?: LocalMetadata | undefined;
  /** Called when the graph has all objects of the resource. */
  readonly onSynced: () => void;
  /** Called for each change of an object. */
  readonly onEvent?: (() => void) | undefined;
  readonly onError: (error: unknown) => void;
}

export function startMonitor(resource: KindResource, options: MonitorOptions): Monitor {
  const { clock, changes, localMetadata, onSynced, onEvent, onError } = options;
  const kind = observedKind(resource);
  const stop = new AbortController();
  const { signal } = stop;
  const replace = (objects: readonly ObservedObject[]) => {
    changes.push({ type: 'replaced', kind, objects, done: onSynced });
    onEvent?.();
  };
  const apply = (type: 'observed' | 'removed', object: ObservedObject) => {
    changes.push({ type, kind, object });
    onEvent?.();
  };
  const running =
    localMetadata === undefined
      ? reflectorOf(resource, { ...options, replace, apply }).run(signal)
      : watchLocal(resource, {
          localMetadata: localMetadata,
          clock,
          signal,
          replace,
          apply,
          onError,
        });
  return {
    close: () => {
      stop.abort(new Error('the resource is watched no longer'));
      return running;
    },
  };
}

function reflectorOf(
  resource: KindResource,
  options: Pick<MonitorOptions, 'client' | 'clock' | 'bounds' | 'onError'> & {
    replace(objects: readonly ObservedObject[]): void;
    apply(type: 'observed' | 'removed', object: ObservedObject): void;
  },
): Reflector<KubeObject> {
  const { client, clock, bounds, onError, replace, apply } = options;
  return new Reflector<KubeObject>(
    metadataSource(client, resource, bounds),
    {
      replace: (objects) => replace(objects.map(({ metadata }) => observedObject(metadata))),
      apply: ({ type, object }) =>
        apply(type === 'DELETED' ? 'removed' : 'observed', observedObject(object.metadata)),
    },
    { clock, onError },
  );
}

export function observedKind(resource: KindResource): ObservedKind {
  return { apiVersion: formatGroupVersion(resource), kind: resource.kind };
}
