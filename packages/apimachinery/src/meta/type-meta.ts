import type { JsonError } from '../json/json-error.ts';
import { decodeGoStruct, type GoStruct, GoTypeError } from '../values/go-struct.ts';

export type TypeMeta =
  | { readonly ok: true; readonly apiVersion: string; readonly kind: string }
  | { readonly ok: false; readonly message: string };

/** The type that a document says it has; both parts are empty when it does not say. */
export function readTypeMeta(document: unknown): TypeMeta {
  try {
    const { apiVersion = '', kind = '' } = decodeGoStruct(document, typeMetaStruct);
    return { ok: true, apiVersion, kind };
  } catch (error) {
    if (error instanceof GoTypeError) return { ok: false, message: typeMetaFailure(error) };
    throw error;
  }
}

/** How a body is refused whose type cannot be read, because of its JSON or because of the types of these fields. */
export function typeMetaFailure(error: JsonError | GoTypeError): string {
  return `couldn't get version/kind; json parse error: ${error.message}`;
}

const typeMetaStruct = {
  type: 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
  fields: { apiVersion: { kind: 'string' }, kind: { kind: 'string' } },
} as const satisfies GoStruct;
