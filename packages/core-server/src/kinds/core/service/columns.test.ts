import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Service, ServiceSpec } from '@tributary/api/core-v1';
import { serviceColumns } from './columns.ts';

const port = { port: 80, targetPort: 80, protocol: 'TCP' };

function cells(spec: ServiceSpec, ingress: { ip?: string; hostname?: string }[] = []) {
  const service: Service = {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'a', creationTimestamp: '2030-01-01T00:00:00Z' },
    spec,
    status: { loadBalancer: { ingress } },
  };
  const shown = serviceColumns.map(({ name, cell }) => [name, cell(service)]);
  const { Type, ...rest } = Object.fromEntries(shown);
  return [Type, rest['Cluster-IP'], rest['External-IP'], rest['Port(s)'], rest.Selector];
}

describe('columns of services', () => {
  const cases = [
    {
      name: 'ClusterIP',
      cells: cells({ type: 'ClusterIP', clusterIPs: ['10.0.0.1'], ports: [port] }),
      want: ['ClusterIP', '10.0.0.1', '<none>', '80/TCP', '<none>'],
    },
    {
      name: 'NodePort',
      cells: cells({
        type: 'NodePort',
        clusterIPs: ['10.0.0.1'],
        externalIPs: ['192.0.2.1', '192.0.2.2'],
        selector: { b: '2', a: '1' },
        ports: [
          { ...port, nodePort: 30_000 },
          { ...port, port: 53, protocol: 'UDP' },
        ],
      }),
      want: ['NodePort', '10.0.0.1', '192.0.2.1,192.0.2.2', '80:30000/TCP,53/UDP', 'a=1,b=2'],
    },
    {
      name: 'LoadBalancer that has nothing yet',
      cells: cells({ type: 'LoadBalancer', clusterIPs: ['10.0.0.1'], ports: [port] }),
      want: ['LoadBalancer', '10.0.0.1', '<pending>', '80/TCP', '<none>'],
    },
    {
      name: 'LoadBalancer with addresses',
      cells: cells({ type: 'LoadBalancer', externalIPs: ['192.0.2.9'] }, [
        { ip: '192.0.2.10' },
        { hostname: 'a.example.com' },
      ]),
      want: ['LoadBalancer', '<none>', '192.0.2.10,a.example.com,192.0.2.9', '<none>', '<none>'],
    },
    {
      name: 'ExternalName',
      cells: cells({ type: 'ExternalName', externalName: 'a.b' }),
      want: ['ExternalName', '<none>', 'a.b', '<none>', '<none>'],
    },
  ];
  for (const { name, cells: found, want } of cases) {
    test(name, () => assert.deepEqual(found, want));
  }

  test('the selector column is after the age', () => {
    assert.deepEqual(
      serviceColumns.slice(-2).map(({ name }) => name),
      ['Age', 'Selector'],
    );
  });
});
