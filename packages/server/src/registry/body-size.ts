import { tooManyValues } from '@tributary/apimachinery';
import type { ObjectSchema } from '../schema/object-schema.ts';

/**
 * The bound of list items, map entries and fields of an object of a built-in kind, which is decoded, defaulted,
 * validated and tracked in a few steps of about a microsecond per value. Upstream has no such bound; the largest
 * objects of a cluster, full EndpointSlices, have half of it.
 */
export const VALUES_MAX = 30_000;

/** Labels, annotations, finalizers, owners and managers together, of any kind. */
export const METADATA_VALUES_MAX = 5_000;

/** The values in all entries of managedFields, of any kind. */
const MANAGED_VALUES_MAX = 50_000;

/** Refuses, with 413, a document with more values than an object of the schema may have. */
export function requireFewValues(document: unknown, { typed }: Pick<ObjectSchema, 'typed'>): void {
  if (metadataValues(document) > METADATA_VALUES_MAX) {
    throw tooManyValues('metadata', METADATA_VALUES_MAX);
  }
  const owners = managedFieldsOf(document);
  if (hasMoreThan([owners], MANAGED_VALUES_MAX)) {
    throw tooManyValues('metadata.managedFields', MANAGED_VALUES_MAX);
  }
  if (typed === undefined) return;
  const max = typed.valuesMax ?? VALUES_MAX;
  if (hasMoreThan([document], max, owners))
    throw tooManyValues('an object of a built-in kind', max);
}

const METADATA_LISTS = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'];

function metadataValues(document: unknown): number {
  const metadata = isContainer(document) && Reflect.get(document, 'metadata');
  if (!isContainer(metadata)) return 0;
  let count = 0;
  for (const name of METADATA_LISTS) count += sizeOf(Reflect.get(metadata, name));
  return count;
}

function managedFieldsOf(document: unknown): unknown {
  const metadata = isContainer(document) && Reflect.get(document, 'metadata');
  return isContainer(metadata) ? Reflect.get(metadata, 'managedFields') : undefined;
}

/** Skips the value that is counted separately. */
function hasMoreThan(roots: readonly unknown[], max: number, apart?: unknown): boolean {
  if (max === Number.POSITIVE_INFINITY) return false;
  const open = roots.filter(isContainer);
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    count += sizeOf(at);
    if (count > max) return true;
    for (const one of Object.values(at)) if (isContainer(one) && one !== apart) open.push(one);
  }
  return false;
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isContainer(value) ? Object.keys(value).length : 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
