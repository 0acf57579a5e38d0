import type { Service } from '@tributary/api/core-v1';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';

const NONE = '<none>';

/** All columns: one is after the age. */
export const serviceColumns: readonly ColumnInput<Service>[] = [
  nameColumn,
  {
    name: 'Type',
    description: 'ClusterIP, NodePort, LoadBalancer or ExternalName',
    cell: ({ spec }) => spec.type ?? '',
  },
  {
    name: 'Cluster-IP',
    description: 'The address inside of the cluster',
    cell: ({ spec }) => spec.clusterIPs?.[0] ?? NONE,
  },
  {
    name: 'External-IP',
    description: 'The addresses outside of the cluster',
    cell: externalAddresses,
  },
  {
    name: 'Port(s)',
    description: 'The ports, with their node ports',
    cell: portsText,
  },
  ageColumn,
  {
    name: 'Selector',
    description: 'The labels of its pods',
    priority: 1,
    cell: selectorText,
  },
];

function externalAddresses({ spec, status }: Service): string {
  const { externalIPs = [] } = spec;
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || NONE;
    case 'LoadBalancer': {
      const balanced = balancerText(status);
      return [...(balanced ? [balanced] : []), ...externalIPs].join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Never truncated: upstream's server makes every Table for wide output. */
function balancerText(status: Service['status'] | undefined): string {
  const names = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname);
  return [...new Set(names)].filter(Boolean).sort().join(',');
}

function portsText({ spec }: Service): string {
  const texts = (spec.ports ?? []).map(({ port, nodePort = 0, protocol }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return texts.join(',') || NONE;
}

function selectorText({ spec }: Service): string {
  const labels = Object.entries(spec.selector ?? {}).map(([key, value]) => `${key}=${value}`);
  return labels.sort().join(',') || NONE;
}
