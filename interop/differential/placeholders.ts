/** Fills `{ns}`, `{rv:STEP}` … in a step from what the same target answered before. */
import { at, isArray, isObject, type Json, parseJson } from './json.ts';
import type { RequestStep } from './row.ts';

export interface Known {
  namespace: string;
  /** Step name to the parsed body; for a watch its events. */
  bodies: ReadonlyMap<string, Json>;
  /** Step name to its ETag. */
  etags: ReadonlyMap<string, string>;
}

/** An earlier answer does not have what a later step needs. */
export class MissingResponse extends Error {
  override name = 'MissingAnswer';
}

const PLACEHOLDER =
  /\{(?:(ns)|(rv|uid|name|continue|etag|token|clusterIP):([a-z0-9-]+)(?:#(\d+))?)\}/g;

export function fillText(text: string, known: Known): string {
  return text.replace(PLACEHOLDER, (_, ns, field, step, index) =>
    ns === undefined ? lookUp({ field, step, index }, known) : known.namespace,
  );
}

export function fillJson(value: Json, known: Known): Json {
  if (typeof value === 'string') return fillText(value, known);
  if (isArray(value)) return value.map((item) => fillJson(item, known));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fillText(key, known), fillJson(item, known)]),
  );
}

/** Path and query of a request, ready to be sent. */
export function fillUrl(step: Pick<RequestStep, 'path' | 'query'>, known: Known): string {
  const parameters = new URLSearchParams();
  for (const [key, values] of Object.entries(step.query ?? {})) {
    for (const value of typeof values === 'string' ? [values] : values) {
      parameters.append(key, fillText(value, known));
    }
  }
  const path = fillText(step.path, known);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** A body that later steps may refer to, in any format. */
export function bodyOf(text: string): Json {
  return parseJson(text) ?? text;
}

interface Reference {
  field: string;
  step: string;
  index: string | undefined;
}

function lookUp({ field, step, index }: Reference, { bodies, etags }: Known): string {
  if (field === 'etag') return etags.get(step) ?? missing(`the answer of ${step} has no etag`);
  const body = bodies.get(step);
  if (body === undefined) return missing(`no step ${step} before this one`);
  const object = index === undefined ? body : elementOf(body, Number(index));
  const path = PATHS[field] ?? ['metadata', field];
  const found = at(object, ...path);
  if (typeof found === 'string' && found !== '') return found;
  const which = index === undefined ? step : `${step}#${index}`;
  return missing(`the answer of ${which} has no ${path.join('.')}`);
}

/** Where a field is, when it is not in the metadata under its own name. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  rv: ['metadata', 'resourceVersion'],
  token: ['status', 'token'],
  clusterIP: ['spec', 'clusterIP'],
};

function missing(what: string): never {
  throw new MissingResponse(what);
}

/** Events wrap their object, lists hold items. */
function elementOf(body: Json, index: number): Json | undefined {
  if (isArray(body)) return at(body, index, 'object');
  return at(body, 'items', index);
}
