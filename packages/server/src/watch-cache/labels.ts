import { findMember } from '../request/json-member.ts';

const LABELS = Buffer.from('labels');

const utf8 = new TextDecoder('utf-8');
const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The labels of an object, read from its bytes without parsing the rest, because selectors check every object of a
 * list. `at` is the position of the first field of the metadata. The bytes must come from a JSON encoder; on other
 * bytes the result is undefined but the search ends.
 */
export function readLabels(bytes: Uint8Array, at: number): Readonly<Record<string, string>> {
  const range = findMember(bytes, at, LABELS);
  if (range === undefined) return NO_LABELS;
  const labels: unknown = JSON.parse(utf8.decode(bytes.subarray(range.start, range.end)));
  return isRecord(labels) ? labels : NO_LABELS;
}

/** Validation before the write ensures that the values are strings. */
function isRecord(labels: unknown): labels is Record<string, string> {
  return typeof labels === 'object' && labels !== null;
}
