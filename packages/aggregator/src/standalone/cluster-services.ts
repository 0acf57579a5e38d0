import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { type KubeObject, StatusError } from '@tributary/apimachinery';
import {
  type Client,
  type Clock,
  createInformer,
  type Informer,
  type ResourceType,
} from '@tributary/client';
import { endpointSlices, services } from '@tributary/client/controller';
import { isRemote, type Registration } from '../api-services/registration.ts';
import type { Registrations } from '../registrations/registrations.ts';
import type { UnreadableNamespaces } from '../targets/watch-targets.ts';
import { type NamespaceInformers, namespaceInformers } from './namespace-informers.ts';

type Problem = NonNullable<ReturnType<UnreadableNamespaces['why']>>;

/** Services of the cluster and their endpoints, in the namespaces that registrations name. */
export interface ClusterServices extends AsyncDisposable {
  readonly services: Informer<Service>;
  readonly endpointSlices: Informer<EndpointSlice>;
  readonly unreadable: UnreadableNamespaces;
  /** Begins to look at the namespaces of registrations that have no URL. */
  watchNamespacesOf(registrations: Pick<Registrations, 'onChange' | 'current'>): void;
  close(): Promise<void>;
}

/**
 * Read with the permissions of the user, which may be few: only namespaces that a registration needs are read, one at a
 * time. A forbidden read is repeated from time to time, and reported meanwhile.
 */
export function clusterServices(client: Client, clock: Clock): ClusterServices {
  const problems = new Map<string, Problem>();
  const listeners = new Set<() => void>();
  const setProblem = (key: string, problem: Problem | undefined): void => {
    if (problems.get(key)?.message === problem?.message) return;
    if (problem === undefined) problems.delete(key);
    else problems.set(key, problem);
    for (const listener of listeners) listener();
  };
  const informersOf = <T extends KubeObject>(type: ResourceType): NamespaceInformers<T> =>
    namespaceInformers<T>((namespace) => {
      const key = `${type.plural}/${namespace}`;
      problems.set(key, { status: 'Unknown', message: `${type.plural} were not read yet` });
      const informer = createInformer<T>({
        resource: client.resource<T>(type).in(namespace),
        clock,
        onError: (error) => {
          if (!informer.synced) setProblem(key, { status: 'False', message: messageOf(error) });
        },
      });
      informer.whenSynced().then(
        () => setProblem(key, undefined),
        () => problems.delete(key), // closed: there are no readers any more
      );
      return informer;
    });
  const ofServices = informersOf<Service>(services);
  const ofSlices = informersOf<EndpointSlice>(endpointSlices);
  const unsubscribe: (() => void)[] = [];
  const close = async (): Promise<void> => {
    for (const stop of unsubscribe) stop();
    listeners.clear();
    await Promise.all([ofServices.close(), ofSlices.close()]);
  };
  return {
    services: ofServices.informer,
    endpointSlices: ofSlices.informer,
    unreadable: {
      why: (namespace) =>
        problems.get(`${services.plural}/${namespace}`) ??
        problems.get(`${endpointSlices.plural}/${namespace}`),
      onChange: (listener) => void listeners.add(listener),
    },
    watchNamespacesOf(registrations) {
      const update = (): void => {
        const wanted = namespacesOf(registrations.current.all);
        ofServices.only(wanted);
        ofSlices.only(wanted);
      };
      unsubscribe.push(registrations.onChange({ changed: update, removed: update }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function namespacesOf(registrations: readonly Registration[]): ReadonlySet<string> {
  const named = registrations.filter(isRemote).filter(({ remote }) => remote.url === undefined);
  return new Set(named.map(({ remote }) => remote.service.namespace));
}

function messageOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  if (!(error instanceof StatusError) || error.code !== 403) return words;
  // It is tried in several ways, and refused in each: the words stay the same.
  const same = words.replace(/cannot (?:watch|list) resource/, 'cannot list and watch resource');
  return `${same} (403): with the rights of the kubeconfig's user only an APIService with a URL works here`;
}
