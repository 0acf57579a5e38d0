import { isRemote, type RemoteRegistration } from '../api-services/registration.ts';
import type { Availability } from '../availability/availability.ts';
import type { DocumentStore } from '../document-store/document-store.ts';
import type { Registrations } from '../registrations/registrations.ts';
import { type PollDependencies, type PolledServer, pollServer } from './poll-server.ts';
import { type KnownDocuments, readStored } from './stored-documents.ts';

export interface PolledServers {
  /** All registered backends, unordered. */
  all(): Iterable<PolledServer>;
  of(name: string): PolledServer | undefined;
  /** Resolves when stored documents are read. Waits for the disk only. */
  readonly recalled: Promise<void>;
  close(): Promise<void>;
}

export type PollServersOptions = Omit<PollDependencies, 'changed'> & {
  readonly registrations: Registrations;
  readonly availability: Availability;
  readonly documents: DocumentStore;
  readonly changed: (name: string, what: Change) => void;
};

export type Change = 'v2' | 'v3' | 'reordered' | 'removed';

/** All registrations are known by then. */
const UNCLAIMED_MS_MAX = 600_000;

/** Polls every registered backend for its documents. */
export function pollServers(options: PollServersOptions): PolledServers {
  const { registrations, availability, documents, changed, clock, log } = options;
  const servers = new Map<string, PolledServer>();
  const closing = new Set<Promise<void>>();
  /** By `ownerOf`, until the registration is listed; unclaimed documents stay on the disk only. */
  const stored = new Map<string, KnownDocuments>();

  /** Synchronous: a request after the registration is served with its documents. */
  const recall = (server: PolledServer): void => {
    const { name, uid } = server.registration;
    const owner = ownerOf(name, uid);
    const found = stored.get(owner);
    stored.delete(owner);
    if (found !== undefined) server.recall(found);
  };

  const readAll = async (): Promise<void> => {
    const read = (await documents.read()).filter(({ part }) => part.startsWith('openapi-'));
    const owned = Map.groupBy(read, ({ registration, uid }) => ownerOf(registration, uid));
    for (const [owner, some] of owned) stored.set(owner, await readStored(some));
    for (const server of servers.values()) recall(server);
  };

  const add = (registration: RemoteRegistration): void => {
    const server = pollServer(registration, options);
    servers.set(registration.name, server);
    recall(server);
  };

  const drop = (name: string): void => {
    const server = servers.get(name);
    if (server === undefined) return;
    servers.delete(name);
    documents.remove(name);
    track(server.close());
    changed(name, 'removed');
  };

  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => log.error(error, 'Polling OpenAPI documents failed'))
      .finally(() => closing.delete(tracked));
    closing.add(tracked);
  };

  const recalled = readAll().catch((error: unknown) => {
    log.error(error, 'Reading stored OpenAPI documents failed');
  });
  const unfollow = [
    clock.schedule(UNCLAIMED_MS_MAX, () => stored.clear()),
    registrations.onChange({
      changed(registration) {
        const server = servers.get(registration.name);
        if (!isRemote(registration)) drop(registration.name);
        else if (server === undefined) add(registration);
        else server.register(registration);
        // Also for a local one: its priority is its group's.
        changed(registration.name, 'reordered');
      },
      removed: ({ name }) => drop(name),
    }),
    availability.onChange((name) => servers.get(name)?.availabilityChanged()),
  ];

  return {
    all: () => servers.values(),
    of: (name) => servers.get(name),
    recalled,
    async close() {
      for (const stop of unfollow) stop();
      await Promise.all([...servers.values()].map((server) => server.close()));
      await Promise.all(closing);
    },
  };
}

/** An APIService created anew has another uid, and does not inherit documents. */
function ownerOf(registration: string, uid: string): string {
  return JSON.stringify([registration, uid]);
}
