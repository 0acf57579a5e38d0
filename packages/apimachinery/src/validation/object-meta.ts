import { type FieldError, fieldError } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { parseGroupVersion } from '../meta/group-version.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../meta/object.ts';
import { goQuote } from '../values/go-quote.ts';
import { type GoText, goJson, goText } from '../values/go-value.ts';
import { parseTime } from '../values/time.ts';
import { validateFieldManager } from './field-manager-name.ts';
import {
  labelValueErrors,
  type NameValidator,
  qualifiedNameErrors,
  validateDnsLabelName,
} from './names.ts';

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly validateName: NameValidator;
  /** Usually `metadata`. */
  readonly path: FieldPath;
}

/** The limit for keys and values of all annotations of an object together. */
export const annotationsBytesMax = 262_144;
const subresourceBytesMax = 256;

/** Validates the metadata of a new object after name generation. */
export function validateObjectMetaCreate(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const { path } = rules;
  return [
    ...validateNames(meta, rules),
    ...validateNamespace(meta, rules),
    ...validateGeneration(meta, path),
    ...validateLabels(meta.labels, path.child('labels')),
    ...validateAnnotations(meta.annotations, path.child('annotations')),
    ...validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')),
    ...validateFinalizers(meta.finalizers, path.child('finalizers')),
    ...validateManagedFields(meta.managedFields, path.child('managedFields')),
  ];
}

/** Validates the metadata of an update; fields that the server sets are immutable. */
export function validateObjectMetaUpdate(
  next: ObjectMeta,
  previous: ObjectMeta,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateNoNewFinalizers(next, previous, path.child('finalizers')),
    ...validateResourceVersionPresent(next, path.child('resourceVersion')),
    ...validateGenerationNotDecremented(next, previous, path.child('generation')),
    ...validateImmutableFields(next, previous, path),
    ...validateLabels(next.labels, path.child('labels')),
    ...validateAnnotations(next.annotations, path.child('annotations')),
    ...validateOwnerReferences(next.ownerReferences, path.child('ownerReferences')),
    ...validateManagedFields(next.managedFields, path.child('managedFields')),
  ];
}

/** The errors contain the invalid key or value; their field is the map without the key. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((detail) => fieldError.invalid(path, key, detail)),
    ...labelValueErrors(value).map((detail) => fieldError.invalid(path, value, detail)),
  ]);
}

/** Keys are validated like label keys, but case-insensitively; the total size is limited. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const detail of qualifiedNameErrors(key.toLowerCase())) {
      errors.push(fieldError.invalid(path, key, detail));
    }
  }
  if (bytes > annotationsBytesMax) errors.push(fieldError.tooLong(path, annotationsBytesMax));
  return errors;
}

/** Every reference must be complete and not an Event, and at most one is the controller. */
export function validateOwnerReferences(
  references: readonly OwnerReference[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller: OwnerReference | undefined;
  for (const [index, reference] of (references ?? []).entries()) {
    errors.push(...validateOwnerReference(reference, path.index(index)));
    if (reference.controller !== true) continue;
    if (controller === undefined) {
      controller = reference;
      continue;
    }
    const shown = goText(`[${(references ?? []).map(ownerReferenceJson).join(',')}]`);
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller.kind}/${controller.name} and ${reference.kind}/${reference.name}`;
    errors.push(fieldError.invalid(path, shown, detail));
  }
  return errors;
}

export function validateFinalizers(
  finalizers: readonly string[] | undefined,
  path: FieldPath,
): FieldError[] {
  const list = finalizers ?? [];
  const errors = list.flatMap((finalizer) =>
    qualifiedNameErrors(finalizer).map((detail) => fieldError.invalid(path, finalizer, detail)),
  );
  if (list.includes('orphan') && list.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(fieldError.invalid(path, list, detail));
  }
  return errors;
}

export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: FieldPath,
): FieldError[] {
  return (entries ?? []).flatMap((entry, index) =>
    isOrdinaryEntry(entry) ? [] : validateManagedFieldsEntry(entry, path.index(index)),
  );
}

/** A fast check that passes nearly all entries: there may be many, and every write validates them. */
function isOrdinaryEntry({ operation, fieldsType, manager, subresource = '' }: ManagedFieldsEntry) {
  return (
    (operation === 'Apply' || operation === 'Update') &&
    fieldsType === 'FieldsV1' &&
    ordinaryName.test(manager ?? '') &&
    ordinaryName.test(subresource)
  );
}

const ordinaryName = /^[\w ./:-]{0,64}$/;

/** The message for changed immutable fields. */
export const fieldImmutable = 'field is immutable';

function validateNames(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const { validateName, path } = rules;
  const errors: FieldError[] = [];
  const { name = '', generateName = '' } = meta;
  if (generateName !== '') {
    for (const detail of validateName(generateName, { prefix: true })) {
      errors.push(fieldError.invalid(path.child('generateName'), generateName, detail));
    }
  }
  if (name === '') {
    errors.push(fieldError.required(path.child('name'), 'name or generateName is required'));
    return errors;
  }
  for (const detail of validateName(name, { prefix: false })) {
    errors.push(fieldError.invalid(path.child('name'), name, detail));
  }
  return errors;
}

function validateNamespace(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const path = rules.path.child('namespace');
  const { namespace = '' } = meta;
  if (!rules.namespaced) {
    return namespace === '' ? [] : [fieldError.forbidden(path, 'not allowed on this type')];
  }
  if (namespace === '') return [fieldError.required(path)];
  return validateDnsLabelName(namespace).map((detail) =>
    fieldError.invalid(path, namespace, detail),
  );
}

function validateGeneration(meta: ObjectMeta, path: FieldPath): FieldError[] {
  const { generation = 0 } = meta;
  if (generation >= 0) return [];
  const detail = 'must be greater than or equal to 0';
  return [fieldError.invalid(path.child('generation'), generation, detail)];
}

function validateGenerationNotDecremented(
  next: ObjectMeta,
  previous: ObjectMeta,
  path: FieldPath,
): FieldError[] {
  const { generation = 0 } = next;
  if (generation >= (previous.generation ?? 0)) return [];
  return [fieldError.invalid(path, generation, 'must not be decremented')];
}

function validateResourceVersionPresent(next: ObjectMeta, path: FieldPath): FieldError[] {
  if ((next.resourceVersion ?? '') !== '') return [];
  return [fieldError.invalid(path, '', 'must be specified for an update')];
}

function validateNoNewFinalizers(
  next: ObjectMeta,
  previous: ObjectMeta,
  path: FieldPath,
): FieldError[] {
  if (isUnset(previous.deletionTimestamp)) return [];
  const known = new Set(previous.finalizers ?? []);
  const added = [...new Set(next.finalizers ?? [])].filter((finalizer) => !known.has(finalizer));
  if (added.length === 0) return [];
  const list = `[]string{${added.sort().map(goQuote).join(', ')}}`;
  return [
    fieldError.forbidden(
      path,
      `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
    ),
  ];
}

function validateImmutableFields(
  next: ObjectMeta,
  previous: ObjectMeta,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const value = next[field] ?? '';
    if (value === (previous[field] ?? '')) continue;
    const shown = field === 'uid' ? namedString(value) : value;
    errors.push(fieldError.invalid(path.child(field), shown, fieldImmutable));
  }
  for (const field of ['creationTimestamp', 'deletionTimestamp'] as const) {
    if (sameTime(next[field], previous[field])) continue;
    errors.push(fieldError.invalid(path.child(field), next[field] ?? null, fieldImmutable));
  }
  const grace = next.deletionGracePeriodSeconds ?? null;
  if (grace !== (previous.deletionGracePeriodSeconds ?? null)) {
    errors.push(
      fieldError.invalid(path.child('deletionGracePeriodSeconds'), grace, fieldImmutable),
    );
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const groupVersion = parseGroupVersion(reference.apiVersion);
  if (reference.apiVersion !== '' && (groupVersion?.version ?? '') === '') {
    const detail = 'must be <group>/<version> or <version>';
    errors.push(fieldError.invalid(path.child('apiVersion'), reference.apiVersion, detail));
  }
  for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
    if (reference[field] === '') {
      errors.push(fieldError.required(path.child(field), 'must not be empty'));
    }
  }
  if (reference.apiVersion === 'v1' && reference.kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    errors.push(fieldError.invalid(path, goText(ownerReferenceJson(reference)), detail));
  }
  return errors;
}

/** Encodes the fields in the order of the Go type, not sorted like a map. */
function ownerReferenceJson(reference: OwnerReference): string {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  const members = Object.entries({ apiVersion, kind, name, uid, controller, blockOwnerDeletion })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}":${goJson(value)}`);
  return `{${members.join(',')}}`;
}

function validateManagedFieldsEntry(entry: ManagedFieldsEntry, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const operation: string = entry.operation ?? '';
  if (operation !== 'Apply' && operation !== 'Update') {
    const detail = 'must be `Apply` or `Update`';
    errors.push(fieldError.invalid(path.child('operation'), namedString(operation), detail));
  }
  const { fieldsType = '', manager = '', subresource = '' } = entry;
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(fieldError.invalid(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(manager, path.child('manager')));
  if (Buffer.byteLength(subresource) > subresourceBytesMax) {
    errors.push(fieldError.tooLong(path.child('subresource'), subresourceBytesMax));
  }
  return errors;
}

/** A string of a named Go type, which prints as JSON; plain strings print with `%q`, which escapes differently. */
function namedString(value: string): GoText {
  return goText(goJson(value));
}

type Timestamp = string | null | undefined;

function isUnset(time: Timestamp): time is null | undefined {
  return time === undefined || time === null;
}

/** Compares instants, not their text. */
function sameTime(a: Timestamp, b: Timestamp): boolean {
  if (isUnset(a) || isUnset(b)) return isUnset(a) && isUnset(b);
  if (a === b) return true;
  const [left, right] = [parseTime(a), parseTime(b)];
  return left.ok && right.ok && left.nanoseconds === right.nanoseconds;
}
