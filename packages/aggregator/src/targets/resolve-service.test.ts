import assert from 'node:assert/strict';
import test from 'node:test';
import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { service, slice } from '../../test/service-objects.ts';
import { resolveService, type ServiceRules } from './resolve-service.ts';

const SERVER = 'api.wardle.svc';
const endpoints: ServiceRules = { routing: 'endpoints', allowLoopback: false };
const clusterIp: ServiceRules = { ...endpoints, routing: 'cluster-ip' };
const onOneMachine: ServiceRules = { ...endpoints, allowLoopback: true };

interface Case {
  readonly name: string;
  readonly service?: Service | undefined;
  readonly slices?: readonly EndpointSlice[];
  readonly rules?: ServiceRules;
  readonly port?: number;
  /** `host:port` of the targets, or `reason: message` of the problem. */
  readonly want: readonly string[] | string;
}

const loopback = slice({ endpoints: ['127.0.0.1'] });
const unnamed = service({ ports: [{ port: 443, targetPort: 8443 }] });
const dual = [
  slice({ name: 'v6', addressType: 'IPv6', endpoints: ['2001:db8::1'] }),
  slice({ name: 'v4' }),
];

const cases: readonly Case[] = [
  { name: 'a ready endpoint, with the port of the slice', want: ['10.1.0.1:8443'] },
  {
    name: 'every ready endpoint of every slice, once',
    slices: [
      slice({ endpoints: ['10.1.0.1', { address: '10.1.0.2', ready: true }] }),
      slice({ name: 'api-2', endpoints: ['10.1.0.2', '10.1.0.3'] }),
    ],
    want: ['10.1.0.1:8443', '10.1.0.2:8443', '10.1.0.3:8443'],
  },
  {
    name: 'who is not ready is left out, who does not say is ready',
    slices: [slice({ endpoints: [{ address: '10.1.0.1', ready: false }, '10.1.0.2'] })],
    want: ['10.1.0.2:8443'],
  },
  {
    name: 'IPv6 without brackets',
    slices: [slice({ addressType: 'IPv6', endpoints: ['2001:db8::1'] })],
    want: ['2001:db8::1:8443'],
  },
  {
    name: 'the first family of the service',
    service: service({ ipFamilies: ['IPv6', 'IPv4'] }),
    slices: dual,
    want: ['2001:db8::1:8443'],
  },
  {
    name: 'the other family when the first has nobody',
    service: service({ ipFamilies: ['IPv6', 'IPv4'] }),
    slices: [slice({ name: 'v6', addressType: 'IPv6', endpoints: [] }), slice({ name: 'v4' })],
    want: ['10.1.0.1:8443'],
  },
  {
    name: 'a headless service has endpoints',
    service: service({ clusterIP: 'None' }),
    want: ['10.1.0.1:8443'],
  },
  {
    name: 'NodePort by endpoints',
    service: service({ type: 'NodePort' }),
    want: ['10.1.0.1:8443'],
  },
  {
    name: 'an unnamed port is named by the empty string in slices',
    service: unnamed,
    slices: [slice({ ports: [{ name: '', port: 8443 }] })],
    want: ['10.1.0.1:8443'],
  },
  {
    name: 'ExternalName, with the port of the APIService, also by endpoints',
    service: service({ type: 'ExternalName', externalName: 'api.example.com', ports: [] }),
    slices: [],
    port: 7443,
    want: ['api.example.com:7443'],
  },
  {
    name: 'ExternalName by cluster IP',
    service: service({ type: 'ExternalName', externalName: 'api.example.com' }),
    rules: clusterIp,
    want: ['api.example.com:443'],
  },
  {
    name: 'the cluster IP with the port of the service',
    rules: clusterIp,
    want: ['10.0.0.10:443'],
  },
  {
    name: 'a LoadBalancer by cluster IP needs no endpoints',
    service: service({ type: 'LoadBalancer' }),
    slices: [],
    rules: clusterIp,
    want: ['10.0.0.10:443'],
  },
  {
    name: 'endpoints on this machine where that is allowed',
    slices: [loopback],
    rules: onOneMachine,
    want: ['127.0.0.1:8443'],
  },
  {
    name: 'of several addresses only those that may be used',
    slices: [slice({ endpoints: ['127.0.0.1', '10.1.0.1'] })],
    want: ['10.1.0.1:8443'],
  },
  {
    name: 'whoever dials the endpoints of a cluster IP knows what may be dialled',
    slices: [loopback],
    rules: clusterIp,
    want: ['10.0.0.10:443'],
  },

  {
    name: 'no service',
    service: undefined,
    want: 'ServiceNotFound: service/api in "wardle" is not present',
  },
  {
    name: 'another port',
    port: 8443,
    want: 'ServicePortError: service/api in "wardle" is not listening on port 8443',
  },
  {
    name: 'another port of a NodePort is found out when it is asked',
    service: service({ type: 'NodePort' }),
    port: 8443,
    want: 'FailedDiscoveryCheck: no service port 8443 found for service "api"',
  },
  {
    name: 'no slices',
    slices: [],
    want: 'EndpointsNotFound: cannot find endpointslices for service/api in "wardle"',
  },
  {
    name: 'no slices, by cluster IP',
    slices: [],
    rules: clusterIp,
    want: 'EndpointsNotFound: cannot find endpointslices for service/api in "wardle"',
  },
  {
    name: 'no slices of a NodePort',
    service: service({ type: 'NodePort' }),
    slices: [],
    want: 'FailedDiscoveryCheck: no endpoints available for service "api"',
  },
  {
    name: 'nobody is ready',
    slices: [slice({ endpoints: [{ address: '10.1.0.1', ready: false }] })],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have no addresses with port name "https"',
  },
  {
    name: 'nobody is ready, by cluster IP',
    slices: [slice({ endpoints: [] })],
    rules: clusterIp,
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have no addresses with port name "https"',
  },
  {
    name: 'nobody of a LoadBalancer is ready',
    service: service({ type: 'LoadBalancer' }),
    slices: [slice({ endpoints: [] })],
    want: 'FailedDiscoveryCheck: no endpoints available for service "api"',
  },
  {
    name: 'the slice calls its port differently',
    slices: [slice({ ports: [{ name: 'other', port: 8443 }] })],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have no addresses with port name "https"',
  },
  {
    name: 'a port without a name is not the one with the empty name',
    service: unnamed,
    slices: [slice({ ports: [{ port: 8443 }] })],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have no addresses with port name ""',
  },
  {
    name: 'a port without a number',
    slices: [slice({ ports: [{ name: 'https' }] })],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have no addresses with port name "https"',
  },
  {
    name: 'an endpoint without an address',
    slices: [slice({ endpoints: [{}] })],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have no addresses with port name "https"',
  },
  {
    name: 'the port in one slice, the endpoint in another',
    slices: [
      slice({ endpoints: [] }),
      slice({ name: 'api-2', ports: [{ name: 'other', port: 1 }] }),
    ],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have no addresses with port name "https"',
  },
  {
    name: 'only endpoints on this machine',
    slices: [loopback],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have only addresses that no endpoint may have: 127.0.0.1 may not be in the loopback range (127.0.0.0/8, ::1/128)',
  },
  {
    name: 'loopback of IPv6, and in disguise',
    slices: [slice({ addressType: 'IPv6', endpoints: ['::1', '::ffff:127.0.0.1'] })],
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have only addresses that no endpoint may have: ::1 may not be in the loopback range (127.0.0.0/8, ::1/128); ::ffff:127.0.0.1 may not be in the loopback range (127.0.0.0/8, ::1/128)',
  },
  {
    name: 'the metadata of a cloud is no endpoint, even where loopback is allowed',
    slices: [slice({ endpoints: ['169.254.169.254'] })],
    rules: onOneMachine,
    want: 'MissingEndpoints: endpointslices for service/api in "wardle" have only addresses that no endpoint may have: 169.254.169.254 may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    name: 'a headless service has no cluster IP',
    service: service({ clusterIP: 'None' }),
    rules: clusterIp,
    want: 'FailedDiscoveryCheck: cannot route to service with ClusterIP "None"',
  },
  {
    name: 'a type that nobody knows',
    service: service({ type: 'Teapot' }),
    want: 'FailedDiscoveryCheck: unsupported service type "Teapot"',
  },
];

for (const { name, want, port = 443, rules = endpoints, ...facts } of cases) {
  test(name, () => {
    const found = resolveService(
      { namespace: 'wardle', name: 'api', port },
      {
        service: 'service' in facts ? facts.service : service(),
        slices: facts.slices ?? [slice()],
      },
      rules,
    );
    if ('problem' in found) {
      assert.equal(found.problem.status, 'False');
      assert.equal(`${found.problem.reason}: ${found.problem.message}`, want);
      return;
    }
    assert.deepEqual(
      found.targets.map(({ host, port }) => `${host}:${port}`),
      want,
    );
    assert.ok(found.targets.every(({ serverName }) => serverName === SERVER));
  });
}
