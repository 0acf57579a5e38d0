import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock } from '@tributary/client';
import type { Backends } from '@tributary/proxy';
import type { Logger } from '@tributary/server';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { VersionResources } from './aggregated-document.ts';
import {
  type AggregatedAnswer,
  type Asking,
  fetchAggregated,
  fetchLegacy,
} from './fetch-documents.ts';
import { fromLegacy } from './legacy-document.ts';
import { type RemoteDocument, remoteDocument } from './remote-document.ts';

export interface ServerDocumentsOptions {
  readonly backends: Backends;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hear: HearFinding;
}

/** Told as soon as it is known. The same document again means that it is still good. */
export type HearFinding = (name: string, finding: Finding) => void;

export type Finding =
  | { readonly outcome: 'good'; readonly document: RemoteDocument }
  | { readonly outcome: 'failed' };

/** What one server says of itself, to all of its registrations. */
export interface ServerDocuments {
  /** Rejects when it failed for any of them; the others have been told. */
  ask(asked: readonly RemoteRegistration[], signal: AbortSignal): Promise<void>;
  /** The server has tags, and says by them when nothing has changed: asking costs next to nothing. */
  readonly isConditional: boolean;
}

/** The aggregated document of a server and what came of it. */
interface Known {
  readonly etag: string | undefined;
  readonly versions: VersionResources;
  /** By name of the registration, made when first needed; some have the server's own list as well. */
  readonly documents: Map<string, RemoteDocument>;
  /** Whose own list was asked for: once per document. */
  readonly listed: Set<string>;
  /** The server was given its tag, and sent everything again nevertheless. */
  readonly ignoresTags: boolean;
}

export function serverDocuments(options: ServerDocumentsOptions): ServerDocuments {
  const { backends, clock, log, hear } = options;
  let known: Known | undefined;

  const askingOf = (registration: RemoteRegistration, signal: AbortSignal) => ({
    backend: backends.of(registration),
    clock,
    signal,
  });

  const askAll = async (asked: readonly RemoteRegistration[], signal: AbortSignal) => {
    const [first] = asked;
    if (first === undefined) return;
    known = knownAfter(known, await askServer(asked, askingOf(first, signal)));
    if (known === undefined) return askEach(asked, signal);
    for (const one of asked) tell(documentOf(known, one), one);
    await addLists(known, asked, signal);
  };

  const askServer = async (asked: readonly RemoteRegistration[], asking: Asking) => {
    try {
      return await fetchAggregated(asking, known?.etag);
    } catch (error) {
      if (!asking.signal.aborted) for (const { name } of asked) hear(name, { outcome: 'failed' });
      throw error;
    }
  };

  const tell = (document: RemoteDocument, { name }: RemoteRegistration) =>
    hear(name, { outcome: 'good', document });

  /** The server knows only lists of single versions. Nobody fails because of another's. */
  const askEach = async (asked: readonly RemoteRegistration[], signal: AbortSignal) => {
    const problems: unknown[] = [];
    for (const one of asked) {
      try {
        const list = await fetchLegacy(askingOf(one, signal), one);
        tell(remoteDocument(one, fromLegacy(list), list), one);
      } catch (error) {
        if (signal.aborted) throw error;
        hear(one.name, { outcome: 'failed' });
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  };

  /** For clients that read one list per version, while the server itself cannot answer them. */
  const addLists = async (
    { documents, listed }: Known,
    asked: readonly RemoteRegistration[],
    signal: AbortSignal,
  ) => {
    for (const one of asked) {
      const document = documents.get(one.name);
      if (document === undefined || listed.has(one.name)) continue;
      listed.add(one.name);
      try {
        const list = await fetchLegacy(askingOf(one, signal), one);
        const whole = remoteDocument(one, document.resources, list);
        documents.set(one.name, whole);
        tell(whole, one);
      } catch (error) {
        // The list is then made of the document.
        log.verbose(2, 'A server has no list of resources', { name: one.name, err: String(error) });
        if (signal.aborted) return;
      }
    }
  };

  const documentOf = ({ documents, versions }: Known, one: RemoteRegistration) => {
    const made = documents.get(one.name);
    if (made !== undefined) return made;
    const resources = versions.get(formatGroupVersion(one));
    if (resources === undefined) {
      log.info('A server does not list a version that is registered for it', { name: one.name });
    }
    const document = remoteDocument(one, resources ?? []);
    documents.set(one.name, document);
    return document;
  };

  return {
    ask: askAll,
    get isConditional() {
      return known?.etag !== undefined && !known.ignoresTags;
    },
  };
}

function knownAfter(known: Known | undefined, answer: AggregatedAnswer): Known | undefined {
  switch (answer.outcome) {
    case 'unchanged':
      return known;
    case 'unknown':
      return undefined;
    case 'document': {
      const { etag, versions } = answer;
      if (etag === undefined || etag !== known?.etag) {
        return { etag, versions, documents: new Map(), listed: new Set(), ignoresTags: false };
      }
      return { ...known, ignoresTags: true };
    }
  }
}
