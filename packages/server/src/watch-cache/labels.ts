import { findMember } from '../request/json-member.ts';

const LABELS = Buffer.from('labels');

const utf8 = new TextDecoder('utf-8');
const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The labels of an object, read from its bytes without parsing the rest: selectors ask every object
 * of a list. `at` is where the fields of the metadata begin. The bytes were written by a JSON
 * encoder; on those that were not, the answer means nothing, but the search ends.
 */
export function readLabels(bytes: Uint8Array, at: number): Readonly<Record<string, string>> {
  const range = findMember(bytes, at, LABELS);
  if (range === undefined) return NO_LABELS;
  const labels: unknown = JSON.parse(utf8.decode(bytes.subarray(range.start, range.end)));
  return isRecord(labels) ? labels : NO_LABELS;
}

/** Validation has seen to it that the values are strings before anything was stored. */
function isRecord(labels: unknown): labels is Record<string, string> {
  return typeof labels === 'object' && labels !== null;
}
