import {
  badRequest,
  cloneJson,
  decodeObjectMeta,
  type FieldValidation,
  formatGroupVersion,
  GoTypeError,
  type GroupVersionKind,
  goQuote,
  type KubeObject,
  type ObjectMeta,
  parseGroupVersion,
  type StatusError,
} from '@tributary/apimachinery';
import { pruneObject } from '../schema/prune.ts';
import { decodeTyped } from '../schema/typed/decode-typed.ts';
import { addEmptyMaps } from '../schema/typed/distinct-empty-maps.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import type { Duplicates } from './decode-body.ts';
import { cannotBeHandled, reportFindings, unrecognized } from './decode-errors.ts';
import type { DecodeContext, DecodedKind } from './decoded-kind.ts';
import { kindNotRegistered } from './kind-not-registered.ts';
import { noKnownKinds, wrongKind, wrongVersion } from './known-kinds.ts';
import { textOr } from './parse-body.ts';

/** The number of findings that upstream reports. */
const FINDINGS_MAX = 100;

/** An absent type means the type of the endpoint. */
export function requireKind(
  value: Record<string, unknown>,
  decoded: DecodedKind,
  context: DecodeContext,
): void {
  const wanted = decoded.kind;
  const apiVersion = formatGroupVersion(wanted);
  const sentKind = textOr(value.kind, wanted.kind);
  const sentVersion = textOr(value.apiVersion, apiVersion);
  const sent = parseGroupVersion(sentVersion);
  if (sent === undefined) {
    const why = `unexpected GroupVersion string: ${sentVersion}`;
    throw badRequest(unrecognized(wanted, why, context.body));
  }
  const isVersion = sentVersion === apiVersion || decoded.alsoIn?.includes(sentVersion);
  if (!isVersion || sentKind !== wanted.kind) {
    throw mistakenKind({ ...sent, kind: sentKind }, value, decoded, context);
  }
}

interface DecodedObject {
  readonly object: KubeObject;
  /** Paths of unknown fields, which are removed. */
  readonly unknown: readonly string[];
}

/** Decoding errors are 400, with the messages of Go's decoder. */
export function decodeObject(
  value: Record<string, unknown>,
  { kind, schema }: Pick<DecodedKind, 'kind' | 'schema'>,
): DecodedObject {
  const type = { kind: kind.kind, apiVersion: formatGroupVersion(kind) };
  try {
    if (schema.typed !== undefined) return decodeTypedObject(value, schema.typed, type);
    const object: KubeObject = { ...value, ...type, metadata: metadataOf(value, kind) };
    // Embedded objects have metadata too.
    return { object, unknown: pruneObject(object, schema) };
  } catch (error) {
    if (!(error instanceof GoTypeError)) throw error;
    throw badRequest(cannotBeHandled(kind, error.message));
  }
}

function decodeTypedObject(
  value: Record<string, unknown>,
  { struct, distinctEmptyMaps = [] }: TypedKind,
  type: Pick<KubeObject, 'kind' | 'apiVersion'>,
): DecodedObject {
  const { object, unknown } = decodeTyped({ ...value, ...type }, struct, { keepsEmpty: true });
  addEmptyMaps(object, value, distinctEmptyMaps);
  return { object: withNoManagers(object as KubeObject, value.metadata), unknown };
}

/** An empty list of managers resets field ownership. */
function withNoManagers(object: KubeObject, sent: unknown): KubeObject {
  const managers = isObject(sent) ? sent.managedFields : undefined;
  if (!Array.isArray(managers) || managers.length > 0) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: [] } };
}

/** The error for a body of another kind or version. */
function mistakenKind(
  sent: GroupVersionKind,
  value: Record<string, unknown>,
  { kind: wanted, others = noKnownKinds }: DecodedKind,
  { request, strictness, duplicates }: DecodeContext,
): StatusError {
  const schema = others.schemaOf(sent);
  if (schema === undefined) {
    const why = kindNotRegistered(sent, wanted.group);
    return badRequest(
      `${sent.kind} in version ${goQuote(sent.version)} cannot be handled as a ${wanted.kind}: ${why}`,
    );
  }
  if (sent.kind !== wanted.kind || schema === null) return badRequest(wrongKind(sent, wanted));
  // As upstream, the body is decoded as its own type before the type is refused.
  const { unknown } = decodeObject(cloneJson(value) as Record<string, unknown>, {
    kind: sent,
    schema,
  });
  const findings = findingsOf(unknown, duplicates, strictness);
  reportFindings(findings, strictness, { kind: sent, warnings: request.warnings });
  return badRequest(wrongVersion(sent, wanted));
}

/** Unknown fields stay until they are reported and removed with those of the whole object. */
function metadataOf(value: Record<string, unknown>, kind: GroupVersionKind): ObjectMeta {
  const sent = isObject(value.metadata) ? withoutNulls(value.metadata) : {};
  return withoutEmpty({ ...sent, ...decodeObjectMeta(value, kind.kind) });
}

/** Drops empty fields, except an empty list of managers, which resets field ownership. */
function withoutEmpty(metadata: ObjectMeta): ObjectMeta {
  const rest = Object.entries(metadata).filter(
    ([name, value]) => name === 'managedFields' || !isEmpty(name, value),
  );
  return Object.fromEntries(rest);
}

function isEmpty(name: string, value: unknown): boolean {
  if (value === '' || (name === 'generation' && value === 0)) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** A field that is unknown and duplicate is reported as unknown only. */
export function findingsOf(
  unknown: readonly string[],
  { fields, yaml }: Duplicates,
  strictness: FieldValidation,
): string[] {
  // Duplicates in YAML are one finding of a strict error, and one each as warnings.
  const refused = yaml?.strictError === undefined ? [] : [yaml.strictError];
  const known = fields.length === 0 ? undefined : new Set(unknown);
  const findings = [
    ...(strictness === 'Strict' ? refused : (yaml?.duplicates ?? [])),
    ...unknown.slice(0, FINDINGS_MAX).map((path) => `unknown field ${goQuote(path)}`),
    ...fields.filter((path) => !known?.has(path)).map((path) => `duplicate field ${goQuote(path)}`),
  ];
  return findings.slice(0, FINDINGS_MAX);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
