import type { ResourceType } from '@tributary/client';
import type { RemoteRegistration } from '../api-services/registration.ts';
import { fetchLegacy } from '../discovery/fetch-documents.ts';
import { ALL_RESOURCES, type NamespaceDebtSpec } from '../kinds/namespace-debt.ts';
import type { RemoteClient } from './leftover-requests.ts';

/**
 * The owed resources: those known when the namespace was deleted, and those that the server serves now. The former may
 * have been old.
 */
export async function resourcesToDelete(
  client: RemoteClient,
  { group, version }: RemoteRegistration,
  { resources }: NamespaceDebtSpec,
): Promise<readonly ResourceType[]> {
  const served = await fetchLegacy(client, { group, version });
  const plurals = new Set(
    served
      .filter(({ name, namespaced }) => namespaced && !name.includes('/'))
      .filter(({ verbs }) => verbs.includes('delete') && verbs.includes('list'))
      .map(({ name }) => name),
  );
  for (const { resource } of resources ?? []) {
    if (resource !== ALL_RESOURCES) plurals.add(resource);
  }
  return [...plurals].map((plural) => ({ group, version, plural, namespaced: true }));
}
