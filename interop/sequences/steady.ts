/** Answers without what is chance while several sequences run at the same time. Pure. */

import { isArray, isObject, type Json, mapJson, parseJson } from '../differential/json.ts';
import type { RawResponse, RawStepResult } from '../differential/step-result.ts';

/**
 * Managers are sorted by the second of their write, and a second may end between two writes at one side only: the
 * histories of `interop/apply` look at that order. A page holds the revision of the whole store, which counts the
 * writes of other sequences too.
 */
export function steady(result: RawStepResult): RawStepResult {
  switch (result.kind) {
    case 'response':
      return { ...result, response: steadyResponse(result.response) };
    case 'watch':
      return {
        ...result,
        events: result.events.map(steadyJson),
        during: result.during.map(steady),
      };
    default:
      return result;
  }
}

/** Numbers taken from an earlier response; rows of the tables contain such numbers themselves. */
const PRECONDITION = /(ResourceVersion in the precondition \()\d+/g;

function steadyResponse(given: RawResponse): RawResponse {
  const response = { ...given, body: given.body.replace(PRECONDITION, '$1<rv>') };
  const { body } = response;
  if (!/"(managedFields|continue)":/.test(body)) return response;
  const json = parseJson(body);
  if (!isObject(json)) return response;
  const indent = body.startsWith('{\n') ? 2 : 0;
  const end = body.endsWith('\n') ? '\n' : '';
  return { ...response, body: JSON.stringify(steadyJson(json), undefined, indent) + end };
}

function steadyJson(json: Json): Json {
  return mapJson(json, (value, key) => {
    if (key === 'managedFields' && isArray(value)) return value.toSorted(byManager);
    if (key === 'continue' && typeof value === 'string') return withoutRevision(value);
    return undefined;
  });
}

function byManager(a: Json, b: Json): number {
  const [left, right] = [a, b].map(orderOf);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

function orderOf(entry: Json): string {
  if (!isObject(entry)) return '';
  const { operation, manager, subresource = '', apiVersion } = entry;
  return JSON.stringify([operation, manager, subresource, apiVersion]);
}

function withoutRevision(token: string): string {
  const content = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  if (!isObject(content) || content.rv === undefined) return token;
  return Buffer.from(JSON.stringify({ ...content, rv: 0 })).toString('base64url');
}
