import {
  type DecodedYaml,
  decodeJson,
  decodeYaml,
  JsonError,
  typeMetaFailure,
  YamlError,
} from '@tributary/apimachinery';
import { requireBodyType } from '../negotiation.ts';
import type { ApiRequest } from '../pipeline.ts';

/** Deeper documents nobody writes by hand, and every walk over a document needs its depth in stack. */
const DEPTH_MAX = 1000;

/** What a body gives twice, in the words of its format. */
export interface Duplicates {
  /** Paths in JSON. */
  readonly fields: readonly string[];
  /** In YAML, whose parser has texts of its own for them. */
  readonly yaml: Pick<DecodedYaml, 'duplicates' | 'strictError'> | undefined;
}

export type DecodedBody =
  | { readonly ok: true; readonly value: unknown; readonly duplicates: Duplicates }
  /** Not readable at all; `why` is what upstream says. */
  | { readonly ok: false; readonly why: string };

export const noDuplicates: Duplicates = { fields: [], yaml: undefined };

/** Reads a body in the format that its content type names; 415 when that is none of ours. */
export function decodeBody(body: Uint8Array, { headers }: ApiRequest): DecodedBody {
  const type = requireBodyType(headers.get('content-type'));
  try {
    if (type === 'application/yaml') {
      const { value, duplicates, strictError } = decodeYaml(body, { depthMax: DEPTH_MAX });
      return { ok: true, value, duplicates: { fields: [], yaml: { duplicates, strictError } } };
    }
    const { value, duplicateFields } = decodeJson(body, { depthMax: DEPTH_MAX });
    return { ok: true, value, duplicates: { fields: duplicateFields, yaml: undefined } };
  } catch (error) {
    if (error instanceof JsonError) return { ok: false, why: typeMetaFailure(error) };
    if (error instanceof YamlError) return { ok: false, why: error.message };
    throw error;
  }
}
