import type { Clock } from '@tributary/client';
import type { Backends } from '@tributary/proxy';
import type { Logger } from '@tributary/server';
import {
  isRemote,
  type Registration,
  type RemoteRegistration,
} from '../api-services/registration.ts';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';
import type { Availability } from '../availability/availability.ts';
import type { DocumentStore } from '../document-store/document-store.ts';
import type { Registrations } from '../registrations/registrations.ts';
import { encodeRemoteDocument, isSameDocument, type RemoteDocument } from './remote-document.ts';
import type { Finding } from './server-documents.ts';
import { type ServerPoller, serverPoller } from './server-poller.ts';
import { readStoredVersions, type StoredVersion } from './stored-versions.ts';

export interface RemoteVersionsOptions {
  readonly registrations: Registrations;
  readonly backends: Backends;
  readonly availability: Availability;
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether documents of an unavailable backend stay for a while, or are marked as stale at once as upstream does. */
  readonly unavailable: 'keep' | 'stale';
  readonly keepCurrentMs: number;
  /** Called when a listed document has changed. */
  readonly changed: () => void;
}

/** The known group versions of backends. */
export interface RemoteVersions {
  list(): readonly RemoteVersion[];
  /** By the name of the registration. */
  get(name: string): RemoteVersion | undefined;
  /** Reads stored documents and lists every registration. Waits for no backend. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface RemoteVersion {
  readonly registration: RemoteRegistration;
  /** Undefined: never fetched, or too old. */
  readonly document: RemoteDocument | undefined;
  readonly freshness: 'Current' | 'Stale';
}

interface Member {
  registration: RemoteRegistration;
  poller: ServerPoller;
  document: RemoteDocument | undefined;
  /** The time of the last fetch. */
  goodAtMs: number;
  /** The last fetch failed, or there was none yet. */
  isDoubtful: boolean;
  writtenAtMs: number;
}

export const DISCOVERY_PART = 'discovery';

/** How often the time of the last fetch is stored, or a tenth of the period for which documents count as current. */
const CONFIRM_INTERVAL_MS = 60 * 60_000;

export function remoteVersions(options: RemoteVersionsOptions): RemoteVersions {
  const { registrations, availability, documents, clock, unavailable, keepCurrentMs } = options;
  const members = new Map<string, Member>();
  const pollers = new Map<string, ServerPoller>();
  const closing = new Set<Promise<void>>();
  const stops: (() => void)[] = [];
  const confirmMs = Math.min(CONFIRM_INTERVAL_MS, keepCurrentMs / 10);
  let stored = new Map<string, StoredVersion>();
  let cancelExpiry = () => {};
  let closed = false;

  const onFinding = (name: string, finding: Finding) => {
    const member = members.get(name);
    if (member === undefined || closed) return;
    const before = viewOf(member);
    member.isDoubtful = finding.outcome === 'failed';
    if (finding.outcome === 'good') take(member, finding.document);
    const after = viewOf(member);
    const isSame = before.freshness === after.freshness && before.document === after.document;
    if (!isSame) options.changed();
    if (member.isDoubtful) awaitExpiry();
  };

  const take = (member: Member, found: RemoteDocument) => {
    const nowMs = clock.nowMs();
    const isSame = isSameDocument(found, member.document);
    member.goodAtMs = nowMs;
    if (!isSame) member.document = found;
    if (isSame && nowMs - member.writtenAtMs < confirmMs) return;
    member.writtenAtMs = nowMs;
    const { name, uid } = member.registration;
    const bytes = encodeRemoteDocument(found);
    documents.write({
      registration: name,
      uid,
      part: DISCOVERY_PART,
      goodAtMs: nowMs,
      etag: undefined,
      bytes,
    });
  };

  const viewOf = ({ registration, document, goodAtMs, isDoubtful }: Member): RemoteVersion => {
    if (!isDoubtful) return { registration, document, freshness: document ? 'Current' : 'Stale' };
    if (unavailable === 'stale') return { registration, document: undefined, freshness: 'Stale' };
    const isCurrent = document !== undefined && clock.nowMs() < goodAtMs + keepCurrentMs;
    return { registration, document, freshness: isCurrent ? 'Current' : 'Stale' };
  };

  /** One timer for all: the next document that becomes stale. */
  const awaitExpiry = () => {
    cancelExpiry();
    const nowMs = clock.nowMs();
    const times = [...members.values()]
      .filter(({ isDoubtful, document }) => isDoubtful && document !== undefined)
      .map(({ goodAtMs }) => goodAtMs + keepCurrentMs)
      .filter((time) => time > nowMs);
    if (times.length === 0) return;
    const wait = times.reduce((least, time) => Math.min(least, time)) - nowMs;
    cancelExpiry = clock.schedule(wait, () => {
      options.changed();
      awaitExpiry();
    });
  };

  const changed = (registration: Registration) => {
    // Requests for that group never reach a backend, so it is not listed; the core group has its own path.
    const isListed = registration.group !== REGISTRATION_GROUP && registration.group !== '';
    if (isRemote(registration) && isListed) put(registration);
    else drop(registration.name);
    options.changed();
  };

  const put = (registration: RemoteRegistration) => {
    const { name, uid } = registration;
    const before = members.get(name);
    const poller = pollerOf(registration);
    const isSame = before?.registration.uid === uid;
    if (before !== undefined && before.poller !== poller) leave(before);
    if (isSame && before.poller === poller) {
      before.registration = registration; // a change of its priorities, for instance, needs no fetch
      return;
    }
    const known = isSame ? before : takeStored(name, uid);
    members.set(name, {
      registration,
      poller,
      document: known?.document,
      // Corrects a time from a wrong clock, which would keep the document longer.
      goodAtMs: Math.min(known?.goodAtMs ?? 0, clock.nowMs()),
      isDoubtful: true,
      writtenAtMs: 0,
    });
    poller.add(registration);
    awaitExpiry();
  };

  const takeStored = (name: string, uid: string): StoredVersion | undefined => {
    const found = stored.get(name);
    stored.delete(name);
    return found?.uid === uid ? found : undefined;
  };

  const drop = (name: string) => {
    const member = members.get(name);
    if (member === undefined) return;
    members.delete(name);
    leave(member);
    documents.remove(name);
  };

  const pollerOf = ({ remote }: RemoteRegistration): ServerPoller => {
    const { service, url, caBundle = '', insecureSkipTlsVerify } = remote;
    const place = [service.namespace, service.name, service.port, url?.href ?? ''];
    const key = JSON.stringify([...place, caBundle, insecureSkipTlsVerify]);
    const poller = pollers.get(key) ?? serverPoller({ ...options, onFinding });
    pollers.set(key, poller);
    return poller;
  };

  const leave = ({ registration, poller }: Member) => {
    poller.remove(registration.name);
    if (!poller.isUnused) return;
    for (const [key, one] of pollers) if (one === poller) pollers.delete(key);
    const ends = poller.close().finally(() => closing.delete(ends));
    closing.add(ends);
  };

  const availabilityChanged = (name: string) => {
    const member = members.get(name);
    if (member === undefined) return;
    const isBack = availability.stateOf(name)?.status === 'True' && member.isDoubtful;
    member.poller.poll(isBack ? 'anew' : 'soon');
  };

  return {
    list: () => [...members.values()].map(viewOf),
    get: (name) => {
      const member = members.get(name);
      return member && viewOf(member);
    },
    async start() {
      stored = await readStoredVersions(documents, { part: DISCOVERY_PART, log: options.log });
      if (closed) return;
      stops.push(
        registrations.onChange({
          changed,
          removed: ({ name }) => {
            drop(name);
            options.changed();
          },
        }),
        availability.onChange(availabilityChanged),
      );
    },
    async close() {
      closed = true;
      cancelExpiry();
      for (const stop of stops) stop();
      await Promise.all([...pollers.values()].map((poller) => poller.close()).concat([...closing]));
    },
  };
}
