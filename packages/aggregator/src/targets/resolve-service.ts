import type { Service } from '@tributary/api/core-v1';
import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { goQuote } from '@tributary/apimachinery';
import type { TargetProblem, Targets } from '@tributary/proxy';
import type { RemoteServer } from '../api-services/registration.ts';
import { sliceEndpoints } from './slice-endpoints.ts';

export type Routing = 'endpoints' | 'cluster-ip';

export interface ServiceRules {
  /** To the ready endpoints of a Service, or to its cluster IP. */
  readonly routing: Routing;
  /** Allows loopback addresses as endpoints. */
  readonly allowLoopback: boolean;
}

/** A Service and its slices. */
export interface ServiceFacts {
  readonly service: Service | undefined;
  readonly slices: readonly EndpointSlice[];
}

type ServiceReference = RemoteServer['service'];

/**
 * The targets of a Service, or the reason why there are none, in upstream's words and order. Upstream checks ports and
 * slices before the probe only for the type ClusterIP; for others the probe fails, with the same problem under another
 * reason.
 */
export function resolveService(
  reference: ServiceReference,
  { service, slices }: ServiceFacts,
  rules: ServiceRules,
): Targets {
  if (service === undefined)
    return problem('ServiceNotFound', `${describeService(reference)} is not present`);
  const type = service.spec.type ?? 'ClusterIP';
  switch (type) {
    case 'ExternalName':
      return oneTarget(reference, service.spec.externalName ?? '');
    case 'ClusterIP':
    case 'NodePort':
    case 'LoadBalancer':
      return resolvePort(reference, { service, slices }, { ...rules, type });
    default:
      return unreachable(`unsupported service type ${goQuote(type)}`);
  }
}

interface TypedRules extends ServiceRules {
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
}

function resolvePort(
  reference: ServiceReference,
  { service, slices }: { readonly service: Service; readonly slices: readonly EndpointSlice[] },
  { routing, allowLoopback, type }: TypedRules,
): Targets {
  const { name, port } = reference;
  const { ports = [], clusterIP = '', ipFamilies } = service.spec;
  const isChecked = type === 'ClusterIP';
  const servicePort = ports.find((one) => one.port === port);
  if (servicePort === undefined) {
    return isChecked
      ? problem(
          'ServicePortError',
          `${describeService(reference)} is not listening on port ${port}`,
        )
      : unreachable(`no service port ${port} found for service ${goQuote(name)}`);
  }
  if (routing === 'cluster-ip' && !isChecked) return clusterIpTarget(reference, clusterIP);
  if (slices.length === 0) {
    return isChecked
      ? problem('EndpointsNotFound', `cannot find endpointslices for ${describeService(reference)}`)
      : unreachable(`no endpoints available for service ${goQuote(name)}`);
  }
  const portName = servicePort.name ?? '';
  const options = { portName, primaryFamily: ipFamilies?.[0], allowLoopback };
  // With a cluster IP, another component chooses the endpoints, at any address.
  const { usable, refused } = sliceEndpoints(slices, options);
  if (usable.length === 0 && (refused.length === 0 || routing === 'endpoints')) {
    return missingEndpoints(reference, { portName, refused, isChecked });
  }
  if (routing === 'cluster-ip') return clusterIpTarget(reference, clusterIP);
  const serverName = serverNameOf(reference);
  return { targets: usable.map(({ address, port }) => ({ host: address, port, serverName })) };
}

function missingEndpoints(
  reference: ServiceReference,
  about: {
    readonly portName: string;
    readonly refused: readonly string[];
    readonly isChecked: boolean;
  },
): Targets {
  const { portName, refused, isChecked } = about;
  if (refused.length > 0) {
    const shown = refused.slice(0, REFUSED_SHOWN_MAX).join('; ');
    const message = `endpointslices for ${describeService(reference)} have only addresses that no endpoint may have: ${shown}`;
    return problem('MissingEndpoints', message);
  }
  if (!isChecked)
    return unreachable(`no endpoints available for service ${goQuote(reference.name)}`);
  return problem(
    'MissingEndpoints',
    `endpointslices for ${describeService(reference)} have no addresses with port name ${goQuote(portName)}`,
  );
}

/** Keeps the message short. */
const REFUSED_SHOWN_MAX = 3;

function clusterIpTarget(reference: ServiceReference, clusterIp: string): Targets {
  return clusterIp === '' || clusterIp === 'None'
    ? unreachable(`cannot route to service with ClusterIP ${goQuote(clusterIp)}`)
    : oneTarget(reference, clusterIp);
}

function oneTarget(reference: ServiceReference, host: string): Targets {
  return { targets: [{ host, port: reference.port, serverName: serverNameOf(reference) }] };
}

/** The name in the certificates of a Service's backends, for any address. */
export function serverNameOf({ name, namespace }: ServiceReference): string {
  return `${name}.${namespace}.svc`;
}

/** `service/NAME in "NAMESPACE"`. */
export function describeService({ name, namespace }: ServiceReference): string {
  return `service/${name} in ${goQuote(namespace)}`;
}

function problem(reason: string, message: string): { readonly problem: TargetProblem } {
  return { problem: { status: 'False', reason, message } };
}

/** The reason of a failed probe. */
function unreachable(message: string): { readonly problem: TargetProblem } {
  return problem('FailedDiscoveryCheck', message);
}
