import { type GoText, goJson, goText, type ObjectMeta } from '@tributary/apimachinery';

/** Metadata that only the server sets; a client's values are dropped. */
const SYSTEM_FIELDS: readonly string[] = [
  'creationTimestamp',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
];

export function withoutSystemFields(metadata: ObjectMeta): ObjectMeta {
  return Object.fromEntries(
    Object.entries(metadata).filter(([name]) => !SYSTEM_FIELDS.includes(name)),
  );
}

/** Reviews have no metadata but managedFields. */
export function isEmptyMetadata(metadata: ObjectMeta, except: readonly string[] = []): boolean {
  return Object.keys(metadata).every((name) => name === 'managedFields' || except.includes(name));
}

/** In the order of the Go struct. */
const FIELD_ORDER: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

const OWNER_ORDER: readonly string[] = [
  'apiVersion',
  'kind',
  'name',
  'uid',
  'controller',
  'blockOwnerDeletion',
];

const MANAGER_ORDER: readonly string[] = [
  'manager',
  'operation',
  'apiVersion',
  'time',
  'fieldsType',
  'fieldsV1',
  'subresource',
];

export function goMetadata(metadata: ObjectMeta): GoText {
  const { ownerReferences, managedFields, ...plain } = metadata;
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(plain)) shown[name] = goJson(value);
  if (ownerReferences) shown.ownerReferences = list(ownerReferences, OWNER_ORDER);
  if (managedFields) shown.managedFields = list(managedFields, MANAGER_ORDER);
  return goText(struct(shown, FIELD_ORDER));
}

function list(items: readonly object[], order: readonly string[]): string {
  const shown = items.map((item) => {
    const fields = Object.entries(item).map(([name, value]) => [name, goJson(value)]);
    return struct(Object.fromEntries(fields), order);
  });
  return `[${shown.join(',')}]`;
}

/** `fields` are JSON texts. */
function struct(fields: Readonly<Record<string, string>>, order: readonly string[]): string {
  const present = order.filter((name) => fields[name] !== undefined);
  return `{${present.map((name) => `"${name}":${fields[name]}`).join(',')}}`;
}
