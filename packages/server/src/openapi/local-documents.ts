/** The documents of what this process serves. */
import { setImmediate } from 'node:timers/promises';
import type { ApiDefinition } from '../api.ts';
import {
  type DocumentPart,
  documentParts,
  type PartOptions,
  wholeDocument,
} from './document-parts.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3, indexV3 } from './document-v3.ts';
import type { DocumentInfo } from './path-items.ts';
import { encodeDocumentV2 } from './protobuf/document-v2.ts';
import { type Published, protobufFormV2, publishJson } from './published.ts';

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
 * Documents that are made when somebody first asks for them, a turn of the event loop for each step: those of a
 * whole control plane take longer than a start may, and longer than others may wait.
 */
export function lazyDocuments(
  apis: readonly ApiDefinition[],
  options: DocumentOptions,
): LocalDocuments {
  return {
    v2: whenAsked(() => inTurns(makeV2(apis, options))),
    v3: whenAsked(() => inTurns(makeV3(apis, options))),
  };
}

/** The same, at once. */
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
  const parts = yield* makeParts(apis, options);
  const document = documentV2(wholeDocument(apis, parts), infoOf(apis, options));
  yield;
  const { forms, ...published } = publishJson(document, options.modifiedMs);
  yield;
  // Both forms have the tag of the JSON, as upstream has it.
  return { ...published, forms: [forms[0], protobufFormV2(encodeDocumentV2(document))] };
}

function* makeV3(
  apis: readonly ApiDefinition[],
  options: DocumentOptions,
): Generator<void, DocumentsV3> {
  const about = {
    info: infoOf(apis, options),
    isControlPlane: apis.some(({ builtIn }) => builtIn),
  };
  const made: [string, Published][] = [];
  for (const part of yield* makeParts(apis, options)) {
    made.push([part.key, publishJson(documentV3(part, about), options.modifiedMs)]);
    yield;
  }
  const byKey = new Map(made.sort(([a], [b]) => (a < b ? -1 : 1)));
  const hashes = new Map([...byKey].map(([key, { hash }]) => [key, hash]));
  return { index: publishJson(indexV3(hashes), options.modifiedMs), byKey };
}

function* makeParts(
  apis: readonly ApiDefinition[],
  options: DocumentOptions,
): Generator<void, readonly DocumentPart[]> {
  const parts: DocumentPart[] = [];
  for (const part of documentParts(apis, options)) {
    parts.push(part);
    yield;
  }
  return parts;
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

/** One result for all who ask; after a failure the next one tries again. */
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

function infoOf(apis: readonly ApiDefinition[], { info }: DocumentOptions): DocumentInfo {
  return info ?? { title: apis.map(({ group }) => group).join(', '), version: 'v1' };
}
