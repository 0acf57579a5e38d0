import { decodeGoStruct, type GoStruct, GoTypeError } from '../json/go-struct.ts';
import type { JsonError } from '../json/json-error.ts';

export type TypeMeta =
  | { readonly ok: true; readonly apiVersion: string; readonly kind: string }
  | { readonly ok: false; readonly message: string };

/** Decodes `apiVersion` and `kind` of a document; absent ones are empty. */
export function readTypeMeta(document: unknown): TypeMeta {
  try {
    const { apiVersion = '', kind = '' } = decodeGoStruct(document, typeMetaStruct);
    return { ok: true, apiVersion, kind };
  } catch (error) {
    if (error instanceof GoTypeError) return { ok: false, message: typeMetaFailure(error) };
    throw error;
  }
}

/** The message for a body whose JSON, `apiVersion` or `kind` cannot be decoded. */
export function typeMetaFailure(error: JsonError | GoTypeError): string {
  return `couldn't get version/kind; json parse error: ${error.message}`;
}

const typeMetaStruct = {
  type: 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
  fields: { apiVersion: { kind: 'string' }, kind: { kind: 'string' } },
} as const satisfies GoStruct;
