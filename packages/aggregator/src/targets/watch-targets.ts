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
  /** Where this process itself answers, for `default/kubernetes`; undefined while it does not. */
  readonly selfAddress?: () => Pick<Target, 'host' | 'port'> | undefined;
  /** Where services cannot all be read. */
  readonly unreadable?: UnreadableNamespaces | undefined;
}

export interface UnreadableNamespaces {
  /** Why nothing is known of the services of a namespace; undefined where they were read. Unknown: not yet. */
  why(namespace: string): Pick<TargetProblem, 'status' | 'message'> | undefined;
  /** Told when that is another; until the end. */
  onChange(listener: () => void): void;
}

/** Who answers for whom, and who asks to be told when that may have changed. */
export interface WatchedTargets {
  readonly find: FindTargets;
  /** Told `namespace/name` of a service with something new, and undefined when that may be any. */
  onChange(listener: (service: string | undefined) => void): () => void;
  close(): void;
}

/** What was found for a server, and for which state of its service. */
interface Found {
  readonly place: Place;
  readonly generation: number;
  readonly targets: Targets;
}

/** A service that somebody asked for, whether it exists or not. */
interface Place {
  generation: number;
}

/**
 * Every request asks who answers it. So what was found is kept with the server it was found for, and is good until
 * its service or a slice of that changes: then the number of the service's place is another.
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
    // Nobody has asked for most services.
    if (place === undefined) return;
    place.generation += 1;
    // Whoever asks again makes a new one, so that there are no more than services that somebody asks for.
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
    () => {}, // It was closed before, and nobody listens.
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

/** The host is dialled and is the name in its certificate. The service need not exist. */
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
