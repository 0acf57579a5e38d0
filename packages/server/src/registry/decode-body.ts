import { setImmediate as immediate } from 'node:timers/promises';
import {
  type DecodedJson,
  type DecodedYaml,
  decodeJson,
  decodeScannedJson,
  decodeYaml,
  JsonError,
  scanJson,
  typeMetaFailure,
  YamlError,
} from '@tributary/apimachinery';
import { requireBodyType } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { ValidationThread } from '../validation/validate-context.ts';
import { YAML_BYTES_ON_LOOP } from '../validation/yaml-job.ts';

/** Real documents are less deep, and every walk over a document needs its depth in stack. */
const DEPTH_MAX = 1000;

/** Duplicate fields of a body, in the form of its encoding. */
export interface Duplicates {
  /** Paths in JSON. */
  readonly fields: readonly string[];
  /** In YAML, whose parser has messages of its own for them. */
  readonly yaml: Pick<DecodedYaml, 'duplicates' | 'strictError'> | undefined;
}

export type DecodedBody =
  | { readonly ok: true; readonly value: unknown; readonly duplicates: Duplicates }
  /** Undecodable; `why` is upstream's message. */
  | { readonly ok: false; readonly why: string };

export const noDuplicates: Duplicates = { fields: [], yaml: undefined };

/** Decodes a body of a supported media type; 415 for others. */
export function decodeBody(body: Uint8Array, { headers }: ApiRequest): DecodedBody {
  const type = requireBodyType(headers.get('content-type'));
  try {
    if (type === 'application/yaml') return ofYaml(decodeYaml(body, { depthMax: DEPTH_MAX }));
    return ofJson(decodeJson(body, { depthMax: DEPTH_MAX }));
  } catch (error) {
    return failed(error);
  }
}

/** The same, except that large YAML documents are decoded in the validation thread. */
export async function decodeBodyAsync(
  body: Uint8Array,
  request: ApiRequest,
  thread: ValidationThread | undefined,
): Promise<DecodedBody> {
  const type = requireBodyType(request.headers.get('content-type'));
  if (type !== 'application/yaml') {
    return body.length > JSON_BYTES_AT_ONCE ? decodeLargeJson(body) : decodeBody(body, request);
  }
  if (thread === undefined || body.length <= YAML_BYTES_ON_LOOP) return decodeBody(body, request);
  try {
    return ofYaml(await thread.decodeYaml(body, DEPTH_MAX, request.cancellation));
  } catch (error) {
    return failed(error);
  }
}

/** A larger document is scanned and decoded in separate turns of the event loop: each takes about as long. */
const JSON_BYTES_AT_ONCE = 256 * 1024;

async function decodeLargeJson(body: Uint8Array): Promise<DecodedBody> {
  try {
    const scan = scanJson(body, { depthMax: DEPTH_MAX });
    await immediate();
    return ofJson(decodeScannedJson(body, scan));
  } catch (error) {
    return failed(error);
  }
}

function ofJson({ value, duplicateFields }: DecodedJson): DecodedBody {
  return { ok: true, value, duplicates: { fields: duplicateFields, yaml: undefined } };
}

function ofYaml({ value, duplicates, strictError }: DecodedYaml): DecodedBody {
  return { ok: true, value, duplicates: { fields: [], yaml: { duplicates, strictError } } };
}

function failed(error: unknown): DecodedBody {
  if (error instanceof JsonError) return { ok: false, why: typeMetaFailure(error) };
  if (error instanceof YamlError) return { ok: false, why: error.message };
  throw error;
}
