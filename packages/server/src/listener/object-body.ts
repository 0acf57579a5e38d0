import { indentJson } from '../json-indent.ts';
import type { ApiRequest } from '../pipeline.ts';
import { wantsPretty } from '../pretty.ts';

/** Small documents made for one answer: a Status, discovery. Stored objects never come this way. */
export function encodeObject(object: object, request: ApiRequest): Uint8Array {
  const compact = Buffer.from(`${JSON.stringify(object)}\n`);
  return wantsPretty(request) ? indentJson(compact) : compact;
}
