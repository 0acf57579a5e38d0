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
  /** What becomes of a document when its server cannot be asked: it stays for a while, or is gone at once as upstream. */
  readonly unavailable: 'keep' | 'stale';
  readonly keepCurrentMs: number;
  /** Something that is listed has changed. */
  readonly changed: () => void;
}

/** What other servers serve, as far as it is known. */
export interface RemoteVersions {
  list(): readonly RemoteVersion[];
  /** By name of the registration. */
  get(name: string): RemoteVersion | undefined;
  /** What was kept is read, and every registration that is known is listed. Waits for no server. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface RemoteVersion {
  readonly registration: RemoteRegistration;
  /** Undefined: never seen, or too old to be believed. */
  readonly document: RemoteDocument | undefined;
  readonly freshness: 'Current' | 'Stale';
}

interface Member {
  registration: RemoteRegistration;
  poller: ServerPoller;
  document: RemoteDocument | undefined;
  /** When its server last said so. */
  goodAtMs: number;
  /** Its server did not say so when it was last asked, or was not asked yet. */
  isDoubtful: boolean;
  writtenAtMs: number;
}

export const DISCOVERY_PART = 'discovery';

/** That a document is still good is written down this often, or ten times in the time for which it is kept. */
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

  /** One timer for all: the next document that becomes too old to be called current. */
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
    // Nobody else is ever asked for that group, so what others say of it is not listed; the core group has its own path.
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
      before.registration = registration; // its priorities, for instance; there is nothing to ask
      return;
    }
    const known = isSame ? before : takeStored(name, uid);
    members.set(name, {
      registration,
      poller,
      document: known?.document,
      // A clock that was wrong must not keep it longer.
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
