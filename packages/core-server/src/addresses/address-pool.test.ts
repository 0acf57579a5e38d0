import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Service, ServiceSpec } from '@tributary/api/core-v1';
import { parseIp } from '@tributary/apimachinery';
import { addressPool } from './address-pool.ts';

function service(name: string, spec: ServiceSpec): Service {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name, namespace: 'default' },
    spec: { type: 'ClusterIP', ...spec },
    status: { loadBalancer: {} },
  };
}

const valueOf4 = (text: string): bigint => parseIp(text)?.value ?? 0n;

function newPool() {
  const pool = addressPool({ range: '10.0.0.0/24' });
  return {
    ...pool,
    hasAddress: (text: string) => pool.addresses.isAllocated(valueOf4(text)),
    hasPort: (port: number) => pool.ports.isAllocated(BigInt(port)),
  };
}

test('an ExternalName Service has no node port', () => {
  const pool = newPool();
  const ports = [{ port: 80, targetPort: 80, nodePort: 30_001 }];
  pool.load([service('a', { type: 'ExternalName', externalName: 'a.b', ports })]);
  assert.equal(pool.hasPort(30_001), false);
});

describe('numbers of a Service', () => {
  const port = { port: 80, targetPort: 80 };
  const cases: { name: string; spec: ServiceSpec; address?: string; ports?: number[] }[] = [
    { name: 'a cluster IP', spec: { clusterIPs: ['10.0.0.7'] }, address: '10.0.0.7' },
    {
      name: 'a node port',
      spec: { type: 'NodePort', ports: [{ ...port, nodePort: 30_001 }] },
      ports: [30_001],
    },
    {
      name: 'a health check node port',
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_002,
        ports: [{ ...port, nodePort: 30_001 }],
      },
      ports: [30_001, 30_002],
    },
  ];
  for (const { name, spec, address, ports = [] } of cases) {
    test(name, () => {
      const pool = newPool();
      const holds = (expected: boolean) => {
        if (address) assert.equal(pool.hasAddress(address), expected);
        for (const one of ports) assert.equal(pool.hasPort(one), expected);
      };
      pool.put(service('a', spec));
      holds(true);
      pool.put(service('a', {}));
      holds(false);
      pool.put(service('a', spec));
      pool.remove(service('a', {}));
      holds(false);
      pool.load([service('a', spec)]);
      holds(true);
      pool.load([]);
      holds(false);
    });
  }
});

test('headless and ExternalName Services have no numbers', () => {
  const pool = newPool();
  pool.load([
    service('a', { clusterIPs: ['None'] }),
    service('b', { type: 'ExternalName', clusterIPs: ['10.0.0.7'] }),
    service('c', { clusterIPs: ['10.9.9.9', 'fd00::1'] }),
  ]);
  assert.equal(pool.hasAddress('10.0.0.7'), false);
});

test('an address that another Service has meanwhile stays allocated', () => {
  const pool = newPool();
  pool.put(service('a', { clusterIPs: ['10.0.0.7'] }));
  pool.put(service('b', { clusterIPs: ['10.0.0.7'] }));
  pool.remove(service('a', {}));
  assert.equal(pool.hasAddress('10.0.0.7'), true);
});

test('invalid ranges of node ports are rejected', () => {
  for (const nodePorts of [
    { first: 0, last: 5 },
    { first: 5, last: 4 },
    { first: 60_000, last: 70_000 },
  ]) {
    assert.throws(
      () => addressPool({ range: '10.0.0.0/24', nodePorts }),
      /is not a valid port range/,
    );
  }
});
