import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
} from '@tributary/api/apiextensions-v1';

const WEBHOOK_PORT = 443;

export function defaultDefinition(definition: CustomResourceDefinition): void {
  const { spec, status } = definition;
  defaultNames(spec);
  spec.conversion ??= { strategy: 'None' };
  const { service } = spec.conversion.webhook?.clientConfig ?? {};
  if (service !== undefined) service.port ??= WEBHOOK_PORT;
  if ((status.storedVersions ?? []).length === 0) addStoredVersion(definition);
}

function defaultNames({ names }: CustomResourceDefinitionSpec): void {
  names.singular ||= names.kind.toLowerCase();
  if (names.kind !== '') names.listKind ||= `${names.kind}List`;
}

/** Adds the storage version to `storedVersions`. Clients remove versions after a storage migration. */
export function addStoredVersion(definition: CustomResourceDefinition): void {
  const { spec, status } = definition;
  const stored = (spec.versions ?? []).find(({ storage }) => storage);
  const known = status.storedVersions ?? [];
  if (stored === undefined || known.includes(stored.name)) return;
  // The status of an update is the stored object's, which must not be modified.
  definition.status = { ...status, storedVersions: [...known, stored.name] };
}
