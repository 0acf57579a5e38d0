/** The documents of the resources of this process. */
import type { ApiDefinition } from '../definition/api.ts';
import { Turn } from '../watch-cache/event-loop.ts';
import { CompactForm } from './compact-form.ts';
import {
  atOnce,
  commonParts,
  type DocumentPart,
  groupParts,
  type PartOptions,
  wholeDocument,
} from './document-parts.ts';
import { formsOfV2 } from './document-v2.ts';
import { type AboutV3, indexV3, textOfV3 } from './document-v3.ts';
import type { DocumentInfo } from './path-items.ts';
import { type Published, protobufFormV2, publishChunks, publishJson } from './published.ts';

export interface DocumentOptions extends PartOptions {
  /** Title and version of the API. Default: the names of its groups, and `v1`. */
  readonly info?: DocumentInfo;
  readonly modifiedMs: number;
}

export interface DocumentsV3 {
  readonly index: Published;
  /** By the path below `/openapi/v3`, in the order of the index. */
  readonly byKey: ReadonlyMap<string, Published>;
}

export interface LocalDocuments {
  v2(): Promise<Published>;
  v3(): Promise<DocumentsV3>;
}

/**
 * Documents built at first request, in turns of the event loop: those of a whole control plane take longer than a start
 * may, and longer than requests may wait.
 */
export function lazyDocuments(
  apis: readonly ApiDefinition[],
  options: DocumentOptions,
): LocalDocuments {
  return {
    v2: whenAsked(() => inTurns(makeV2(apis, options))),
    v3: whenAsked(async () => {
      const documents = await inTurns(makeV3(apis, options));
      // A document that cannot be compressed remains uncompressed.
      compactAll(documents).catch(() => undefined);
      return documents;
    }),
  };
}

/** The same, synchronously. */
export function documentsNow(
  apis: readonly ApiDefinition[],
  options: DocumentOptions,
): { readonly v2: Published; readonly v3: DocumentsV3 } {
  return { v2: atOnce(makeV2(apis, options)), v3: atOnce(makeV3(apis, options)) };
}

/** Steps end at each `yield`. */
function* makeV2(
  apis: readonly ApiDefinition[],
  options: DocumentOptions,
): Generator<void, Published> {
  const [roots, version] = split(commonParts(apis));
  const parts = [...roots];
  for (const api of apis) parts.push(...(yield* groupParts(api, options)));
  const whole = wholeDocument(apis, [...parts, ...version]);
  yield;
  const { json, message } = yield* formsOfV2(whole, infoOf(apis, options));
  const { forms, ...published } = yield* publishChunks(json, options.modifiedMs);
  // Both forms have the tag of the JSON, as upstream has it.
  return { ...published, forms: [forms[0], protobufFormV2(message)] };
}

/** The server's own paths come last. */
function split(common: readonly DocumentPart[]): [DocumentPart[], DocumentPart[]] {
  return [common.slice(0, -1), common.slice(-1)];
}

function* makeV3(
  apis: readonly ApiDefinition[],
  options: DocumentOptions,
): Generator<void, DocumentsV3> {
  const about: AboutV3 = {
    info: infoOf(apis, options),
    isControlPlane: apis.some(({ builtIn }) => builtIn),
  };
  const made: [string, Published][] = [];
  for (const part of commonParts(apis)) made.push(yield* publishPart(part, about, options));
  for (const api of apis) made.push(...(yield* groupDocuments(api, about, options)));
  const byKey = new Map(made.sort(([a], [b]) => (a < b ? -1 : 1)));
  const hashes = new Map([...byKey].map(([key, { hash }]) => [key, hash]));
  return { index: publishJson(indexV3(hashes), options.modifiedMs), byKey };
}

type KeyedDocuments = readonly (readonly [key: string, document: Published])[];

/** The parts built for a group and its dependencies: built again only when one of the two changes. */
const madeOfGroup = new WeakMap<
  ApiDefinition,
  { readonly circumstances: string; readonly documents: KeyedDocuments }
>();

function* groupDocuments(
  api: ApiDefinition,
  about: AboutV3,
  options: DocumentOptions,
): Generator<void, [string, Published][]> {
  const circumstances = JSON.stringify([about, options.patchTypes]);
  const known = madeOfGroup.get(api);
  if (known?.circumstances === circumstances)
    return known.documents.map(([key, one]) => [key, one]);
  const documents: [string, Published][] = [];
  for (const part of yield* groupParts(api, options)) {
    documents.push(yield* publishPart(part, about, options));
  }
  madeOfGroup.set(api, { circumstances, documents });
  return documents;
}

function* publishPart(
  part: DocumentPart,
  about: AboutV3,
  { modifiedMs }: DocumentOptions,
): Generator<void, [string, Published]> {
  return [part.key, yield* publishChunks(yield* textOfV3(part, about), modifiedMs)];
}

/** In sequence, because no request waits for it. */
async function compactAll({ byKey }: DocumentsV3): Promise<void> {
  for (const { forms } of byKey.values()) {
    for (const form of forms) if (form instanceof CompactForm) await form.compact();
  }
}

async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  const turn = new Turn();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (turn.isOver) await turn.next();
  }
}

/** One result for concurrent callers; after a failure the next one retries. */
function whenAsked<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Groups of a control plane come and go; its title stays. */
export function infoOf(
  apis: readonly ApiDefinition[],
  { info }: Pick<DocumentOptions, 'info'>,
): DocumentInfo {
  if (info !== undefined) return info;
  const isControlPlane = apis.some(({ builtIn }) => builtIn);
  const title = isControlPlane ? 'Kubernetes' : apis.map(({ group }) => group).join(', ');
  return { title, version: 'v1' };
}
