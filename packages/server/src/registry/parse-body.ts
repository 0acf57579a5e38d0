import { badRequest, type GroupVersionKind, readTypeMeta } from '@tributary/apimachinery';
import { isProtobuf } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { decodeProtobuf, openEnvelope } from '../schema/typed/decode-protobuf.ts';
import { ProtobufError } from '../schema/typed/protobuf-wire.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import { type DecodedBody, type Duplicates, decodeBodyAsync, noDuplicates } from './decode-body.ts';
import { unrecognized } from './decode-errors.ts';
import type { DecodedKind } from './decoded-kind.ts';

/** The document of a body, with its duplicate fields. */
interface ParsedBody {
  readonly value: Record<string, unknown>;
  readonly duplicates: Duplicates;
}

export async function parseBody(
  body: Uint8Array,
  request: ApiRequest,
  decodedKind: DecodedKind,
): Promise<ParsedBody> {
  const { kind, schema, validationThread } = decodedKind;
  if (schema.typed !== undefined && isDecodedAsProtobuf(request, decodedKind)) {
    return { value: protobufBody(body, kind, schema.typed), duplicates: noDuplicates };
  }
  return parsedBody(await decodeBodyAsync(body, request, validationThread), kind, body);
}

function parsedBody(decoded: DecodedBody, kind: GroupVersionKind, body: Uint8Array): ParsedBody {
  if (!decoded.ok) throw badRequest(unrecognized(kind, decoded.why, body));
  const { value, duplicates } = decoded;
  const type = readTypeMeta(value);
  if (!type.ok) throw badRequest(unrecognized(kind, type.message, body));
  // The reference server decodes `null` as an object without fields.
  return { value: (value ?? {}) as Record<string, unknown>, duplicates };
}

/** Only Go structs have a protobuf encoding; clients of built-in kinds use it by default. */
export function isDecodedAsProtobuf({ headers }: ApiRequest, { schema }: DecodedKind): boolean {
  return schema.typed !== undefined && isProtobuf(headers.get('content-type'));
}

function protobufBody(
  body: Uint8Array,
  kind: GroupVersionKind,
  { struct }: TypedKind,
): Record<string, unknown> {
  try {
    const { raw, ...type } = openEnvelope(body);
    // The fields of another kind would be decoded as those of this one.
    const isOurs = textOr(type.kind, kind.kind) === kind.kind;
    return { ...(isOurs ? decodeProtobuf(raw, struct) : {}), ...type };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw badRequest(unrecognized(kind, error.message, body));
  }
}

export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}
