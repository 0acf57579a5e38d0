import type { Node } from '@tributary/api/core-v1';
import type { ColumnInput } from '@tributary/server';
import { column } from '../../shared/columns.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE = 'kubernetes.io/role';

export const nodeColumns: readonly ColumnInput<Node>[] = [
  column('Status', 'Whether the node is ready and schedulable', statusText),
  column('Roles', 'The roles of the node', rolesText),
];

/** Upstream's column is after the age. */
export const versionColumn: ColumnInput<Node> = column(
  'Version',
  'The version of the kubelet',
  ({ status }) => status.nodeInfo.kubeletVersion,
);

export const wideNodeColumns: readonly ColumnInput<Node>[] = [
  column('Internal-IP', 'The internal address', (node) => addressOf(node, 'InternalIP')),
  column('External-IP', 'The external address', (node) => addressOf(node, 'ExternalIP')),
  column(
    'OS-Image',
    'The operating system image',
    ({ status }) => status.nodeInfo.osImage || '<unknown>',
  ),
  column('Kernel-Version', 'The kernel version', ({ status: { nodeInfo } }) => {
    const { kernelVersion, architecture } = nodeInfo;
    return `${kernelVersion || '<unknown>'}${architecture ? ` (${architecture})` : ''}`;
  }),
  column(
    'Container-Runtime',
    'The container runtime',
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
