import type { APIService, APIServiceCondition } from '@tributary/api/apiregistration-v1';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';
import { annotations } from '../api-services/registration.ts';

/** Upstream's columns, and the URL of a backend outside of the cluster. */
export const apiServiceColumns: readonly ColumnInput<APIService>[] = [
  nameColumn,
  {
    name: 'Service',
    description: 'Who serves it: this server, a service, or whoever is at a URL',
    cell: serviceCell,
  },
  {
    name: 'Available',
    description: 'Whether it can be asked now, and if not, why',
    cell: ({ status }) => availableCell(status.conditions ?? []),
  },
  ageColumn,
];

function serviceCell({ metadata, spec }: APIService): string {
  if (spec.service === undefined) return 'Local';
  const { namespace = '', name = '' } = spec.service;
  return metadata.annotations?.[annotations.url] ?? `${namespace}/${name}`;
}

function availableCell(conditions: readonly APIServiceCondition[]): string {
  const found = conditions.find(({ type }) => type === 'Available');
  if (found === undefined) return 'Unknown';
  const { status, reason } = found;
  return status === 'True' || !reason ? status : `${status} (${reason})`;
}
