import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { type Informer, objectKey } from '@tributary/client';
import type { Addressed, FindTargets, Target, TargetProblem, Targets } from '@tributary/proxy';
import {
  describeService,
  resolveService,
  type ServiceRules,
  serverNameOf,
} from './resolve-service.ts';
import { slicesByService } from './slices-by-service.ts';

export interface TargetsOptions extends ServiceRules {
  readonly services: Informer<Service>;
  readonly endpointSlices: Informer<EndpointSlice>;
  /** The address of this process, for `default/kubernetes`; undefined while its port is closed. */
  readonly selfAddress?: () => Pick<Target, 'host' | 'port'> | undefined;
  /** Namespaces whose Services cannot be read. */
  readonly unreadable?: UnreadableNamespaces | undefined;
}

export interface UnreadableNamespaces {
  /** Why the Services of a namespace are unknown; undefined when they were read. Unknown: not yet. */
  why(namespace: string): Pick<TargetProblem, 'status' | 'message'> | undefined;
  /** Notifies of changes until the end. */
  onChange(listener: () => void): void;
}

/** The targets of Services, with notification of changes. */
export interface WatchedTargets {
  readonly find: FindTargets;
  /** Notifies with the `namespace/name` of a changed Service, or undefined when any may have changed. */
  onChange(listener: (service: string | undefined) => void): () => void;
  close(): void;
}

/** The targets found for a backend, and the generation of its Service at that time. */
interface Found {
  readonly place: Place;
  readonly generation: number;
  readonly targets: Targets;
}

/** A Service with a request, whether it exists or not. */
interface Place {
  generation: number;
}

/**
 * Every request needs the targets of its backend, so they are cached with the backend's configuration until the
 * generation of the Service changes: an event of the Service or one of its slices.
 */
export function watchTargets(options: TargetsOptions): WatchedTargets {
  const { services, endpointSlices, selfAddress } = options;
  const places = new Map<string, Place>();
  const found = new WeakMap<Addressed, Found>();
  const listeners = new Set<(service: string | undefined) => void>();
  const notify = (service: string | undefined) => {
    for (const listener of listeners) listener(service);
  };

  const changed = (key: string) => {
    const place = places.get(key);
    // Most Services have no requests.
    if (place === undefined) return;
    place.generation += 1;
    // The next request makes a new entry, so there are only entries of Services with requests.
    places.delete(key);
    notify(key);
  };
  const serviceChanged = (service: Service) => changed(objectKey(service));
  const subscription = services.addHandler({
    onAdd: serviceChanged,
    onUpdate: (_, service) => serviceChanged(service),
    onDelete: serviceChanged,
  });
  const slices = slicesByService(endpointSlices, changed);
  Promise.all([subscription.whenSynced(), slices.whenSynced()]).then(
    () => notify(undefined),
    () => {}, // Closed before the sync, so there are no listeners.
  );

  options.unreadable?.onChange(() => notify(undefined));

  const unchanging: Place = { generation: 0 };
  const keep = (remote: Addressed, place: Place, targets: Targets): Targets => {
    found.set(remote, { place, generation: place.generation, targets });
    return targets;
  };
  const resolve = (remote: Addressed): Targets => {
    const key = `${remote.service.namespace}/${remote.service.name}`;
    const service = services.store.get(key);
    if (service !== undefined && !slices.synced) {
      return notReadYet(remote, 'EndpointsAccessError', 'endpointslices');
    }
    const place = places.get(key) ?? { generation: 0 };
    places.set(key, place);
    const facts = { service, slices: slices.of(key) };
    return keep(remote, place, resolveService(remote.service, facts, options));
  };

  return {
    find(remote) {
      const known = found.get(remote);
      if (known !== undefined && known.place.generation === known.generation) return known.targets;
      if (remote.url !== undefined) return keep(remote, unchanging, urlTarget(remote.url));
      const own = selfTarget(remote, selfAddress);
      if (own !== undefined) return own;
      if (!services.synced) return notReadYet(remote, 'ServiceAccessError', 'services');
      const why = options.unreadable?.why(remote.service.namespace);
      return why === undefined ? resolve(remote) : notRead(remote, 'ServiceAccessError', why);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      listeners.clear();
      subscription.close();
      slices.close();
    },
  };
}

/** The host is both the address and the name in the certificate. The Service need not exist. */
function urlTarget(url: URL): Targets {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  return { targets: [{ host, port, serverName: host }] };
}

const HTTPS_PORT = 443;

function selfTarget(
  { service }: Addressed,
  selfAddress: TargetsOptions['selfAddress'],
): Targets | undefined {
  const { namespace, name, port } = service;
  if (namespace !== 'default' || name !== 'kubernetes' || port !== HTTPS_PORT) return undefined;
  const address = selfAddress?.();
  return address && { targets: [{ ...address, serverName: serverNameOf(service) }] };
}

function notReadYet(remote: Addressed, reason: string, what: string): Targets {
  return notRead(remote, reason, { status: 'Unknown', message: `${what} were not read yet` });
}

function notRead(
  { service }: Addressed,
  reason: string,
  { status, message }: Pick<TargetProblem, 'status' | 'message'>,
): Targets {
  const words = `${describeService(service)} cannot be checked due to: ${message}`;
  return { problem: { status, reason, message: words } };
}
