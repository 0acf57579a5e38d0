import { badRequest, plainError } from '../errors/errors.ts';
import { fieldError, fieldErrorText } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import { parseGoUint64 } from '../values/go-integer.ts';

/**
 * Parses a `resourceVersion`; 0 for the empty text and for `0`, which mean "any". A number beyond 2^53 is rounded
 * and stays greater than every revision of a store. Throws the error of GET and WATCH for other texts, a 500
 * without a reason.
 */
export function parseResourceVersion(text: string): number {
  const parsed = parse(text);
  if (!parsed.ok) throw plainError(parsed.message);
  return parsed.revision;
}

/** Like `parseResourceVersion`, but throws the error of LIST, a 400. */
export function parseListResourceVersion(text: string): number {
  const parsed = parse(text);
  if (!parsed.ok) throw badRequest(`invalid resource version: ${parsed.message}`);
  return parsed.revision;
}

/** Parses `metadata.resourceVersion` of a request body; the 500 for other texts does not name the field. */
export function parseObjectResourceVersion(text: string): number {
  if (text === '') return 0;
  const parsed = parseGoUint64(text);
  if (!parsed.ok) throw plainError(parsed.message);
  return Number(parsed.value);
}

/** Compares two versions like client-go: both are decimal numbers without leading zeros. */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

function parse(text: string): { ok: true; revision: number } | { ok: false; message: string } {
  if (text === '') return { ok: true, revision: 0 };
  const parsed = parseGoUint64(text);
  if (parsed.ok) return { ok: true, revision: Number(parsed.value) };
  const error = fieldError.invalid(root('resourceVersion'), text, parsed.message);
  return { ok: false, message: fieldErrorText(error) };
}
