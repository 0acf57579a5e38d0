import { isDeepStrictEqual } from 'node:util';
import {
  type EndpointAddress,
  type EndpointPort,
  type EndpointSubset,
  Endpoints,
} from '@tributary/api/core-v1';
import {
  type EndpointRules,
  type FieldError,
  type FieldPath,
  fieldError,
  root,
  upstreamEndpointRules,
  validateDnsSubdomainName,
  validateEndpointIp,
  validateIpForLegacyField,
  warningsForIp,
} from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { endpointsText } from '../../shared/endpoint-columns.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import {
  validateLabel,
  validatePortNumber,
  validateProtocol,
  validateQualifiedName,
  validateSubdomain,
} from '../../shared/validate-names.ts';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';

export const endpointsKind = (rules = upstreamEndpointRules) =>
  defineResource({
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    scope: 'Namespaced',
    tracksGeneration: false,
    allowUnconditionalUpdate: true,
    allowCreateOnUpdate: true,
    versions: {
      v1: version({
        typed: Endpoints,
        deprecated: { since: 'v1.33', use: 'discovery.k8s.io/v1 EndpointSlice' },
        columns: [
          {
            name: 'Endpoints',
            description: 'The first addresses, with their ports',
            cell: endpointsText,
          },
        ],
        applyDefaults: ({ subsets = [] }) => {
          for (const port of subsets.flatMap(({ ports = [] }) => ports)) port.protocol ||= 'TCP';
        },
        validate: (endpoints) => validateEndpoints(endpoints, rules),
        validateUpdate: (next, live) => [
          ...metadataUpdateErrors(next, live),
          ...validateEndpoints(next, { live, ...rules }),
        ],
        warnings: endpointsWarnings,
      }),
    },
  });

/** Unchanged subsets are not validated again. */
export function validateEndpoints(
  endpoints: Endpoints,
  { live, ...rules }: EndpointRules & { readonly live?: Endpoints } = upstreamEndpointRules,
): FieldError[] {
  const subsetErrors = (endpoints.subsets ?? []).flatMap((subset, index) =>
    validateSubset(root('subsets').index(index), subset, rules),
  );
  const isUnchanged = live !== undefined && isDeepStrictEqual(endpoints.subsets, live.subsets);
  return [
    ...metadataErrors(endpoints, { namespaced: true, validateName: validateDnsSubdomainName }),
    ...(isUnchanged ? [] : subsetErrors),
  ];
}

function validateSubset(
  path: FieldPath,
  subset: EndpointSubset,
  rules: EndpointRules,
): FieldError[] {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  const errors: FieldError[] = [];
  if (addresses.length === 0 && notReadyAddresses.length === 0) {
    const detail = 'must specify `addresses` or `notReadyAddresses`';
    errors.push(fieldError.required(path, detail));
  }
  for (const [name, list] of Object.entries({ addresses, notReadyAddresses })) {
    for (const [index, address] of list.entries()) {
      errors.push(...validateAddress(path.child(name).index(index), address, rules));
    }
  }
  for (const [index, port] of ports.entries()) {
    const at = path.child('ports').index(index);
    errors.push(...validatePort(at, port, { needsName: ports.length > 1 }));
  }
  return errors;
}

function validateAddress(
  path: FieldPath,
  { ip, hostname, nodeName }: EndpointAddress,
  rules: EndpointRules,
) {
  return [
    ...validateIpForLegacyField(path.child('ip'), ip),
    ...(hostname ? validateLabel(path.child('hostname'), hostname) : []),
    ...(nodeName === undefined ? [] : validateSubdomain(path.child('nodeName'), nodeName)),
    ...validateEndpointIp(path.child('ip'), ip, rules),
  ];
}

function validatePort(
  path: FieldPath,
  { name, port, protocol, appProtocol }: EndpointPort,
  { needsName }: { needsName: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  if (name) errors.push(...validateLabel(path.child('name'), name));
  else if (needsName) errors.push(fieldError.required(path.child('name')));
  errors.push(...validatePortNumber(path.child('port'), port));
  errors.push(...validateProtocol(path.child('protocol'), protocol));
  if (appProtocol !== undefined) {
    errors.push(...validateQualifiedName(path.child('appProtocol'), appProtocol));
  }
  return errors;
}

/** The endpoints controller writes addresses in canonical form, so they need no warning. */
function endpointsWarnings({ metadata, subsets = [] }: Endpoints): string[] {
  if (metadata.labels?.[MANAGED_BY] === 'endpoint-controller') return [];
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [] }, index) =>
    Object.entries({ addresses, notReadyAddresses }).flatMap(([name, list]) =>
      list.flatMap(({ ip }, at) =>
        warningsForIp(root('subsets').index(index).child(name).index(at).child('ip'), ip),
      ),
    ),
  );
}
