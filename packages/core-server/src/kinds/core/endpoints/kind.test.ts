import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndpointSubset, Endpoints } from '@tributary/api/core-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { endpointsText } from '../../shared/endpoint-columns.ts';
import { endpointsKind, validateEndpoints } from './kind.ts';

function endpoints(...subsets: EndpointSubset[]): Endpoints {
  return {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'default', resourceVersion: '1' },
    ...(subsets.length > 0 && { subsets }),
  };
}

const port = { port: 80, protocol: 'TCP' };
const at = (ip: string): EndpointSubset => ({ addresses: [{ ip }], ports: [port] });

describe('validation of Endpoints', () => {
  const cases: { name: string; subset: EndpointSubset; want: string[] }[] = [
    { name: 'an address', subset: at('192.0.2.1'), want: [] },
    { name: 'no ports', subset: { notReadyAddresses: [{ ip: '192.0.2.1' }] }, want: [] },
    {
      name: 'nothing',
      subset: {},
      want: ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
    },
    {
      name: 'no address',
      subset: at('x'),
      want: [
        'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
      ],
    },
    {
      name: 'a port without a name among several',
      subset: { ...at('192.0.2.1'), ports: [{ ...port, name: 'a' }, { port: 0 }] },
      want: [
        'subsets[0].ports[1].name: Required value',
        'subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'subsets[0].ports[1].protocol: Required value',
      ],
    },
    {
      name: 'a protocol of nobody',
      subset: { ...at('192.0.2.1'), ports: [{ port: 1, protocol: 'X' }] },
      want: [
        'subsets[0].ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      ],
    },
  ];
  for (const { name, subset, want } of cases) {
    test(name, () => {
      assert.deepEqual(validateEndpoints(endpoints(subset)).map(fieldErrorText), want);
    });
  }

  test('unchanged subsets are not validated again', () => {
    assert.deepEqual(
      validateEndpoints(endpoints({}), { live: endpoints({}), allowLoopback: false }),
      [],
    );
    assert.equal(
      validateEndpoints(endpoints({}), { live: endpoints(), allowLoopback: false }).length,
      1,
    );
  });
});

describe('warnings of Endpoints', () => {
  const warnings = endpointsKind().versions.get('v1')?.hooks.warnings;
  test('addresses that are not in canonical form get warnings', () => {
    assert.deepEqual(warnings?.(endpoints(at('2001:DB8::1'))), [
      'subsets[0].addresses[0].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ]);
  });
  test('the endpoints controller gets no warnings', () => {
    const object = endpoints(at('2001:DB8::1'));
    object.metadata.labels = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
    assert.deepEqual(warnings?.(object), []);
  });
});

describe('the column of Endpoints', () => {
  const many = ['1', '2', '3', '4', '5'].map((last) => ({ ip: `192.0.2.${last}` }));
  const cases: { name: string; subsets: EndpointSubset[]; want: string }[] = [
    { name: 'none', subsets: [], want: '<none>' },
    { name: 'one', subsets: [at('192.0.2.1')], want: '192.0.2.1:80' },
    { name: 'IPv6', subsets: [at('2001:db8::1')], want: '[2001:db8::1]:80' },
    {
      name: 'many without ports',
      subsets: [{ addresses: many }],
      want: '192.0.2.1,192.0.2.2,192.0.2.3 + 2 more...',
    },
    {
      name: 'ports times addresses',
      subsets: [{ addresses: many.slice(0, 2), ports: [port, { port: 81 }] }],
      want: '192.0.2.1:80,192.0.2.2:80,192.0.2.1:81 + 1 more...',
    },
    { name: 'only those that are not ready', subsets: [{ notReadyAddresses: many }], want: '' },
  ];
  for (const { name, subsets, want } of cases) {
    test(name, () => assert.equal(endpointsText(endpoints(...subsets)), want));
  }
});
