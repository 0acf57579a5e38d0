/** Services and their slices, as short as tests need them. */

import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { defaultBackendLimits } from '@tributary/proxy';
import type { RemoteRegistration, RemoteServer } from '../src/api-services/registration.ts';

export function remoteServer(more: Partial<RemoteServer> = {}): RemoteServer {
  return {
    service: { namespace: 'wardle', name: 'api', port: 443 },
    url: undefined,
    caBundle: undefined,
    insecureSkipTlsVerify: false,
    limits: defaultBackendLimits,
    forwardsToken: false,
    ...more,
  };
}

export function remoteRegistration(more: Partial<RemoteRegistration> = {}): RemoteRegistration {
  return {
    name: 'v1alpha1.wardle.example.com',
    uid: 'uid-1',
    group: 'wardle.example.com',
    version: 'v1alpha1',
    groupPriorityMinimum: 2000,
    versionPriority: 200,
    remote: remoteServer(),
    ...more,
  };
}

export function service(spec: Partial<Service['spec']> = {}): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'wardle', name: 'api', uid: 'service-1' },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.0.0.10',
      ports: [{ name: 'https', port: 443, targetPort: 8443 }],
      ...spec,
    },
    status: { loadBalancer: {} },
  };
}

export interface SliceInput {
  readonly name?: string;
  readonly addressType?: string;
  readonly ports?: EndpointSlice['ports'];
  /** Ready unless they say otherwise. */
  readonly endpoints?: readonly (string | { address?: string; ready?: boolean })[];
}

export function slice(input: SliceInput = {}): EndpointSlice {
  const { name = 'api-1', addressType = 'IPv4', ports = [{ name: 'https', port: 8443 }] } = input;
  const { endpoints = ['10.1.0.1'] } = input;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: 'wardle',
      name,
      uid: `slice-${name}`,
      labels: { 'kubernetes.io/service-name': 'api' },
    },
    addressType,
    ports,
    endpoints: endpoints.map((endpoint) => {
      if (typeof endpoint === 'string') return { addresses: [endpoint], conditions: {} };
      const { address, ready } = endpoint;
      return {
        addresses: address === undefined ? [] : [address],
        conditions: ready === undefined ? {} : { ready },
      };
    }),
  };
}
