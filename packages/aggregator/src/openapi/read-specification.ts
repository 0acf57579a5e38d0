import { decodeJson, stringifyJson } from '@tributary/apimachinery';
import { danglingReference } from './references.ts';
import { documentOf, isObject, type Named, type Specification } from './specification.ts';

/** Deep enough for every real schema, and within the limits of recursion. */
export const DEPTH_MAX = 500;
/** Of paths, and of definitions; a complete control plane has about a thousand of each. */
export const ENTRIES_MAX = 50_000;

/** Decodes a document; throws an error with the reason when it is invalid. */
export function readSpecification(bytes: Uint8Array): Specification {
  const { value } = decodeJson(bytes, { depthMax: DEPTH_MAX });
  if (!isObject(value)) throw new Error('the document is no object');
  if (value.swagger !== '2.0') throw new Error('the document is not of OpenAPI 2.0');
  const { paths, definitions, parameters, responses, ...head } = value;
  return {
    paths: entries('paths', paths),
    definitions: entries('definitions', definitions),
    parameters: entries('parameters', parameters),
    responses: entries('responses', responses),
    head,
  };
}

/** Refuses dangling references, which would make the merged document useless to clients. */
export function requireResolvable(specification: Specification): void {
  const dangling = danglingReference(specification);
  if (dangling !== undefined) throw new Error(`${dangling} is referred to, but not there`);
}

export function writeSpecification(specification: Specification): Uint8Array {
  return Buffer.from(stringifyJson(documentOf(specification)));
}

function entries(section: string, value: unknown): Named {
  if (value === undefined || value === null) return new Map();
  if (!isObject(value)) throw new Error(`its ${section} are no object`);
  const all = Object.entries(value);
  if (all.length > ENTRIES_MAX) throw new Error(`it has more than ${ENTRIES_MAX} ${section}`);
  for (const [name, entry] of all) {
    // Extensions stand beside the paths, with any value.
    if (!isObject(entry) && !(section === 'paths' && name.startsWith('x-'))) {
      throw new Error(`${name}, among its ${section}, is no object`);
    }
  }
  return new Map(all);
}
