import { isDeepStrictEqual } from 'node:util';
import { type Endpoint, type EndpointPort, EndpointSlice } from '@tributary/api/discovery-v1';
import {
  dns1123SubdomainErrors,
  root,
  upstreamEndpointRules,
  warningsForIp,
} from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { shortenedList } from '../../shared/endpoint-columns.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts';

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const HOST_LABEL = 'kubernetes.io/hostname';

/** Controllers that write addresses in canonical form. */
const controllers: readonly (string | undefined)[] = [
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
];

export const endpointSliceKind = (rules = upstreamEndpointRules) =>
  defineResource({
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    scope: 'Namespaced',
    allowUnconditionalUpdate: true,
    versions: {
      v1: version({
        typed: EndpointSlice,
        columns: [
          {
            name: 'AddressType',
            description: 'IPv4, IPv6 or FQDN',
            cell: ({ addressType }) => addressType,
          },
          {
            name: 'Ports',
            description: 'The first ports',
            cell: ({ ports }) => listText((ports ?? []).map(portText)),
          },
          {
            name: 'Endpoints',
            description: 'The first addresses',
            cell: ({ endpoints }) =>
              listText((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
          },
        ],
        applyDefaults: ({ ports }) => {
          for (const port of ports ?? []) {
            port.name ??= '';
            port.protocol ??= 'TCP';
          }
        },
        prepareForCreate: ({ endpoints }) => dropTopology(endpoints ?? [], []),
        prepareForUpdate: (next, live) => {
          const hasNewEndpoints = !isDeepStrictEqual(next.endpoints, live.endpoints);
          // Labels count for the generation of this kind, and so does dropped topology.
          if (hasOtherLabels(next, live) || (hasNewEndpoints && hasTopology(next))) {
            next.metadata = {
              ...next.metadata,
              generation: (live.metadata.generation ?? 0) + 1,
            };
          }
          if (hasNewEndpoints) dropTopology(next.endpoints ?? [], live.endpoints ?? []);
        },
        validate: (slice) => validateEndpointSlice(slice, rules),
        validateUpdate: (next, live) => validateEndpointSliceUpdate(next, live, rules),
        warnings: (slice, live) => [
          ...(slice.addressType === 'FQDN' && live === undefined
            ? ['spec.addressType: FQDN endpoints are deprecated']
            : []),
          ...addressWarnings(slice),
        ],
      }),
    },
  });

function listText(all: readonly string[]): string {
  return shortenedList(all) || '<unset>';
}

function portText({ port, name }: EndpointPort): string {
  return port === undefined ? (name ?? '*') : String(port);
}

function hasOtherLabels(
  { metadata: next }: EndpointSlice,
  { metadata: live }: EndpointSlice,
): boolean {
  return !isDeepStrictEqual(next.labels ?? {}, live.labels ?? {});
}

function hasTopology({ endpoints }: EndpointSlice): boolean {
  return (endpoints ?? []).some(
    ({ deprecatedTopology = {} }) => Object.keys(deprecatedTopology).length > 0,
  );
}

/** v1 has no topology; the node name in it is kept for endpoints that had it before. */
function dropTopology(endpoints: readonly Endpoint[], before: readonly Endpoint[]): void {
  const known = before.map(({ deprecatedTopology }) => deprecatedTopology?.[HOST_LABEL] ?? '');
  for (const endpoint of endpoints) {
    const node = endpoint.deprecatedTopology?.[HOST_LABEL];
    if (
      endpoint.nodeName === undefined &&
      node &&
      known.includes(node) &&
      dns1123SubdomainErrors(node).length === 0
    ) {
      endpoint.nodeName = node;
    }
    delete endpoint.deprecatedTopology;
  }
}

function addressWarnings({ metadata, endpoints }: EndpointSlice): string[] {
  if (controllers.includes(metadata.labels?.[MANAGED_BY])) return [];
  return (endpoints ?? []).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((address, at) =>
      warningsForIp(root('endpoints').index(index).child('addresses').index(at), address),
    ),
  );
}
