import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock } from '@tributary/client';
import type { Backends } from '@tributary/proxy';
import type { Logger } from '@tributary/server';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { VersionResources } from './aggregated-document.ts';
import {
  type AggregatedResult,
  type DiscoveryClient,
  fetchAggregated,
  fetchLegacy,
} from './fetch-documents.ts';
import { fromLegacy } from './legacy-document.ts';
import { type RemoteDocument, remoteDocument } from './remote-document.ts';

export interface ServerDocumentsOptions {
  readonly backends: Backends;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onFinding: OnFinding;
}

/** Called for each result. The same document again means that it is still current. */
export type OnFinding = (name: string, finding: Finding) => void;

export type Finding =
  | { readonly outcome: 'good'; readonly document: RemoteDocument }
  | { readonly outcome: 'failed' };

/** Fetches the documents of one backend, for all of its registrations. */
export interface ServerDocuments {
  /** Rejects when it failed for any of them; the others have been reported. */
  fetch(registrations: readonly RemoteRegistration[], signal: AbortSignal): Promise<void>;
  /** The backend supports ETags, so polling costs next to nothing. */
  readonly isConditional: boolean;
}

/** The aggregated document of a backend and the documents made of it. */
interface Known {
  readonly etag: string | undefined;
  readonly versions: VersionResources;
  /** By the name of the registration, made at first use; some contain the backend's own list as well. */
  readonly documents: Map<string, RemoteDocument>;
  /** Registrations whose own list was fetched, once per document. */
  readonly listed: Set<string>;
  /** The backend sent everything again despite its ETag. */
  readonly ignoresTags: boolean;
}

export function serverDocuments(options: ServerDocumentsOptions): ServerDocuments {
  const { backends, clock, log, onFinding } = options;
  let known: Known | undefined;

  const clientOf = (registration: RemoteRegistration, signal: AbortSignal) => ({
    backend: backends.of(registration),
    clock,
    signal,
  });

  const fetchAll = async (registrations: readonly RemoteRegistration[], signal: AbortSignal) => {
    const [first] = registrations;
    if (first === undefined) return;
    known = knownAfter(
      known,
      await fetchAggregatedDocument(registrations, clientOf(first, signal)),
    );
    if (known === undefined) return fetchEach(registrations, signal);
    for (const one of registrations) reportDocument(documentOf(known, one), one);
    await addLists(known, registrations, signal);
  };

  const fetchAggregatedDocument = async (
    registrations: readonly RemoteRegistration[],
    client: DiscoveryClient,
  ) => {
    try {
      return await fetchAggregated(client, known?.etag);
    } catch (error) {
      if (!client.signal.aborted)
        for (const { name } of registrations) onFinding(name, { outcome: 'failed' });
      throw error;
    }
  };

  const reportDocument = (document: RemoteDocument, { name }: RemoteRegistration) =>
    onFinding(name, { outcome: 'good', document });

  /** For a backend without an aggregated document. One failure does not affect the other versions. */
  const fetchEach = async (registrations: readonly RemoteRegistration[], signal: AbortSignal) => {
    const problems: unknown[] = [];
    for (const one of registrations) {
      try {
        const list = await fetchLegacy(clientOf(one, signal), one);
        reportDocument(remoteDocument(one, fromLegacy(list), list), one);
      } catch (error) {
        if (signal.aborted) throw error;
        onFinding(one.name, { outcome: 'failed' });
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  };

  /** For clients that read one list per version, while the backend is unavailable. */
  const addLists = async (
    { documents, listed }: Known,
    registrations: readonly RemoteRegistration[],
    signal: AbortSignal,
  ) => {
    for (const one of registrations) {
      const document = documents.get(one.name);
      if (document === undefined || listed.has(one.name)) continue;
      listed.add(one.name);
      try {
        const list = await fetchLegacy(clientOf(one, signal), one);
        const whole = remoteDocument(one, document.resources, list);
        documents.set(one.name, whole);
        reportDocument(whole, one);
      } catch (error) {
        // The list is then made from the document.
        log.verbose(2, 'Resource list of API server is missing', {
          name: one.name,
          err: String(error),
        });
        if (signal.aborted) return;
      }
    }
  };

  const documentOf = ({ documents, versions }: Known, one: RemoteRegistration) => {
    const made = documents.get(one.name);
    if (made !== undefined) return made;
    const resources = versions.get(formatGroupVersion(one));
    if (resources === undefined) {
      log.info('API server does not list registered version', { name: one.name });
    }
    const document = remoteDocument(one, resources ?? []);
    documents.set(one.name, document);
    return document;
  };

  return {
    fetch: fetchAll,
    get isConditional() {
      return known?.etag !== undefined && !known.ignoresTags;
    },
  };
}

function knownAfter(known: Known | undefined, result: AggregatedResult): Known | undefined {
  switch (result.outcome) {
    case 'unchanged':
      return known;
    case 'unknown':
      return undefined;
    case 'document': {
      const { etag, versions } = result;
      if (etag === undefined || etag !== known?.etag) {
        return { etag, versions, documents: new Map(), listed: new Set(), ignoresTags: false };
      }
      return { ...known, ignoresTags: true };
    }
  }
}
