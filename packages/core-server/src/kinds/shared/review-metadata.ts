import { type GoText, goJson, goText, type ObjectMeta } from '@tributary/apimachinery';

/** What only a server says of an object, and what is dropped where a client says it. */
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

/** Questions have no names and no labels; who wrote which field of one is nobody's fault. */
export function isEmptyMetadata(metadata: ObjectMeta, except: readonly string[] = []): boolean {
  return Object.keys(metadata).every((name) => name === 'managedFields' || except.includes(name));
}

/** In the order of the struct, which is the one in which Go writes it. */
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

export function shownMetadata(metadata: ObjectMeta): GoText {
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

/** `fields` are JSON already. */
function struct(fields: Readonly<Record<string, string>>, order: readonly string[]): string {
  const present = order.filter((name) => fields[name] !== undefined);
  return `{${present.map((name) => `"${name}":${fields[name]}`).join(',')}}`;
}
