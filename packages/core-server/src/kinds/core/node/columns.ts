import type { Node } from '@tributary/api/core-v1';
import type { ColumnInput } from '@tributary/server';
import { column } from '../../shared/columns.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE = 'kubernetes.io/role';

export const nodeColumns: readonly ColumnInput<Node>[] = [
  column('Status', 'Whether it is ready, and takes pods', statusText),
  column('Roles', 'What it is for', rolesText),
];

/** After the age, which upstream shows before the version. */
export const versionColumn: ColumnInput<Node> = column(
  'Version',
  'The version of its kubelet',
  ({ status }) => status.nodeInfo.kubeletVersion,
);

export const wideNodeColumns: readonly ColumnInput<Node>[] = [
  column('Internal-IP', 'Its address inside', (node) => addressOf(node, 'InternalIP')),
  column('External-IP', 'Its address outside', (node) => addressOf(node, 'ExternalIP')),
  column('OS-Image', 'What it runs', ({ status }) => status.nodeInfo.osImage || '<unknown>'),
  column('Kernel-Version', 'The version of its kernel', ({ status: { nodeInfo } }) => {
    const { kernelVersion, architecture } = nodeInfo;
    return `${kernelVersion || '<unknown>'}${architecture ? ` (${architecture})` : ''}`;
  }),
  column(
    'Container-Runtime',
    'What runs its containers',
    ({ status }) => status.nodeInfo.containerRuntimeVersion || '<unknown>',
  ),
];

function statusText({ spec, status }: Node): string {
  const ready = (status.conditions ?? []).findLast(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable ? `${word},SchedulingDisabled` : word;
}

function rolesText({ metadata }: Node): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return [key.slice(ROLE_PREFIX.length)];
    return key === ROLE ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort().join(',') || '<none>';
}

function addressOf({ status }: Node, wanted: string): string {
  return (status.addresses ?? []).find(({ type }) => type === wanted)?.address ?? '<none>';
}
