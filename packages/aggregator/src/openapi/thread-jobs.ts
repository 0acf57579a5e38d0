/** Jobs of a thread: documents of backends can be large, and are untrusted. */
import { createHash } from 'node:crypto';
import { decodeJson, stringifyJson } from '@tributary/apimachinery';
import { encodeForeignDocumentV2 } from '@tributary/server/openapi-protobuf';
import { convertToV3 } from './convert-to-v3.ts';
import { filterPaths, groupVersionPrefix } from './filter-specification.ts';
import { beginMerge } from './merge-specifications.ts';
import {
  DEPTH_MAX,
  readSpecification,
  requireResolvable,
  writeSpecification,
} from './read-specification.ts';
import { documentOf, isObject, type Specification } from './specification.ts';

/** A document and the hash of its content. */
export interface HashedDocument {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

export interface SkippedPart {
  readonly name: string;
  readonly reason: string;
}

/** The input and output of each job. */
export interface ThreadJobs {
  /** The part of a backend's document for one group version. */
  readonly 'read-v2': {
    readonly input: {
      readonly bytes: Uint8Array;
      readonly group: string;
      readonly version: string;
    };
    readonly output: HashedDocument;
  };
  /** Validates only: a document of version 3 is served unchanged. */
  readonly 'check-v3': {
    readonly input: { readonly bytes: Uint8Array };
    readonly output: undefined;
  };
  readonly convert: {
    readonly input: { readonly part: HashedDocument };
    readonly output: HashedDocument;
  };
  /** Adds a document for a merge, one per job: sending large ones together would block the event loop. */
  readonly remember: { readonly input: HashedDocument; readonly output: undefined };
  /** Merges added documents by their hashes; others are dropped. */
  readonly merge: {
    readonly input: {
      readonly local: string;
      readonly parts: readonly { readonly name: string; readonly hash: string }[];
    };
    readonly output: MergeResult;
  };
}

export type MergeResult =
  | {
      readonly outcome: 'merged';
      readonly json: HashedDocument;
      readonly protobuf: Uint8Array;
      readonly skipped: readonly SkippedPart[];
    }
  /** Documents that the thread does not have. */
  | { readonly outcome: 'missing'; readonly hashes: readonly string[] };

export type JobName = keyof ThreadJobs;

export type JobHandlers = {
  readonly [Name in JobName]: (ask: ThreadJobs[Name]['input']) => ThreadJobs[Name]['output'];
};

/** Caches the documents of the last merge, so that only changed ones are sent and decoded for the next. */
export function threadJobs(): JobHandlers {
  let known = new Map<string, Specification | Error>();
  return {
    'read-v2': ({ bytes, group, version }) => {
      const prefix = groupVersionPrefix({ group, version });
      const part = filterPaths(readSpecification(bytes), (path) => path.startsWith(prefix));
      requireResolvable(part);
      return hashed(writeSpecification(part));
    },
    'check-v3': ({ bytes }) => {
      const { value } = decodeJson(bytes, { depthMax: DEPTH_MAX });
      if (!isObject(value)) throw new Error('the document is no object');
      if (typeof value.openapi !== 'string' || !value.openapi.startsWith('3.')) {
        throw new Error('the document is not of OpenAPI 3');
      }
      if (value.paths !== undefined && value.paths !== null && !isObject(value.paths)) {
        throw new Error('its paths are no object');
      }
    },
    convert: ({ part }) =>
      hashed(Buffer.from(stringifyJson(convertToV3(readSpecification(part.bytes))))),
    remember: ({ hash, bytes }) => {
      known.set(hash, readOrError(bytes));
    },
    merge: ({ local, parts }) => {
      const used = new Map<string, Specification | Error>();
      const missing = new Set<string>();
      for (const hash of [local, ...parts.map((part) => part.hash)]) {
        const found = known.get(hash);
        if (found === undefined) missing.add(hash);
        else used.set(hash, found);
      }
      if (missing.size > 0) return { outcome: 'missing', hashes: [...missing] };
      known = used;
      return merge(used, local, parts);
    },
  };
}

function merge(
  used: ReadonlyMap<string, Specification | Error>,
  local: string,
  parts: ThreadJobs['merge']['input']['parts'],
): MergeResult {
  const take = (hash: string): Specification => {
    const found = used.get(hash);
    if (found === undefined || found instanceof Error) throw found ?? new Error('forgotten');
    return found;
  };
  const merging = beginMerge(take(local));
  const skipped: SkippedPart[] = [];
  for (const { name, hash } of parts) {
    try {
      merging.add(take(hash));
    } catch (error) {
      // An invalid document of one backend does not affect the others.
      skipped.push({ name, reason: asError(error).message });
    }
  }
  const document = documentOf(merging.result());
  const json = hashed(Buffer.from(stringifyJson(document)));
  return { outcome: 'merged', json, protobuf: encodeForeignDocumentV2(document), skipped };
}

function readOrError(bytes: Uint8Array): Specification | Error {
  try {
    return readSpecification(bytes);
  } catch (error) {
    return asError(error);
  }
}

function hashed(bytes: Uint8Array): HashedDocument {
  return { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
