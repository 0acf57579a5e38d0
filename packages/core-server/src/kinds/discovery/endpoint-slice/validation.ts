import { isDeepStrictEqual } from 'node:util';
import type {
  Endpoint,
  EndpointHints,
  EndpointPort,
  EndpointSlice,
} from '@tributary/api/discovery-v1';
import {
  declarative,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type EndpointRules,
  type FieldError,
  type FieldPath,
  fieldError,
  fieldImmutable,
  labelValueErrors,
  parseIp,
  root,
  upstreamEndpointRules,
  validateDnsSubdomainName,
  validateEndpointIp,
  validateIp,
  validateIpForLegacyField,
  validateLabels,
} from '@tributary/apimachinery';
import { metadataErrors } from '../../shared/object-metadata.ts';
import {
  portProtocols,
  validateLabel,
  validateQualifiedName,
  validateSubdomain,
} from '../../shared/validate-names.ts';

const addressTypes: readonly string[] = ['FQDN', 'IPv4', 'IPv6'];
const TOPOLOGY_LABELS_MAX = 16;
const ADDRESSES_MAX = 100;
const PORTS_MAX = 20_000;
const ENDPOINTS_MAX = 1000;
const HINTS_MAX = 8;

/** Unchanged endpoints are not validated again. */
export function validateEndpointSlice(
  slice: EndpointSlice,
  { live, ...rules }: EndpointRules & { readonly live?: EndpointSlice } = upstreamEndpointRules,
): FieldError[] {
  const { addressType, ports, endpoints } = slice;
  const wanted = { addressType, ...rules };
  const endpointErrors = validateEndpoints(root('endpoints'), endpoints ?? [], wanted);
  const isUnchanged = live !== undefined && isDeepStrictEqual(endpoints, live.endpoints);
  return [
    ...metadataErrors(slice, { namespaced: true, validateName: validateDnsSubdomainName }),
    ...validateAddressType(addressType, live),
    ...validatePorts(root('ports'), ports ?? []),
    ...(isUnchanged ? [] : endpointErrors),
  ];
}

export function validateEndpointSliceUpdate(
  next: EndpointSlice,
  live: EndpointSlice,
  rules: EndpointRules = upstreamEndpointRules,
): FieldError[] {
  return validateEndpointSlice(next, { live, ...rules });
}

function validateAddressType(addressType: string, live: EndpointSlice | undefined): FieldError[] {
  const path = root('addressType');
  const changes =
    live === undefined || addressType === live.addressType
      ? []
      : [declarative(fieldError.invalid(path, null, fieldImmutable))];
  if (addressType === '') return [declarative(fieldError.required(path)), ...changes];
  if (addressTypes.includes(addressType)) return changes;
  const error = fieldError.notSupported(path, addressType, addressTypes);
  // Declarative validation of an update stops at a changed immutable field.
  return [live === undefined ? declarative(error) : error, ...changes];
}

function validatePorts(path: FieldPath, ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > PORTS_MAX) return [fieldError.tooMany(path, ports.length, PORTS_MAX)];
  const names = new Set<string>();
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const at = path.index(index);
    const errors = name === '' ? [] : validateLabel(at.child('name'), name);
    if (names.has(name)) errors.push(fieldError.duplicate(at.child('name'), name));
    names.add(name);
    if (protocol === undefined) {
      errors.push(fieldError.required(at.child('protocol')));
    } else if (!portProtocols.includes(protocol)) {
      errors.push(fieldError.notSupported(at.child('protocol'), protocol, portProtocols));
    }
    if (appProtocol !== undefined) {
      errors.push(...validateQualifiedName(at.child('appProtocol'), appProtocol));
    }
    return errors;
  });
}

interface Wanted extends EndpointRules {
  readonly addressType: string;
}

function validateEndpoints(
  path: FieldPath,
  endpoints: readonly Endpoint[],
  wanted: Wanted,
): FieldError[] {
  if (endpoints.length > ENDPOINTS_MAX) {
    return [fieldError.tooMany(path, endpoints.length, ENDPOINTS_MAX)];
  }
  return endpoints.flatMap((endpoint, index) =>
    validateEndpoint(path.index(index), endpoint, wanted),
  );
}

function validateEndpoint(path: FieldPath, endpoint: Endpoint, wanted: Wanted): FieldError[] {
  const { nodeName, deprecatedTopology: topology = {}, hostname, hints } = endpoint;
  const errors = validateAddresses(path.child('addresses'), endpoint.addresses ?? [], wanted);
  if (nodeName !== undefined) errors.push(...validateSubdomain(path.child('nodeName'), nodeName));
  const topologyPath = path.child('deprecatedTopology');
  const labels = Object.keys(topology).length;
  if (labels > TOPOLOGY_LABELS_MAX) {
    errors.push(fieldError.tooMany(topologyPath, labels, TOPOLOGY_LABELS_MAX));
  }
  errors.push(...validateLabels(topology, topologyPath));
  if (hostname !== undefined) errors.push(...validateLabel(path.child('hostname'), hostname));
  if (hints !== undefined) errors.push(...validateHints(path.child('hints'), hints));
  return errors;
}

function validateAddresses(
  path: FieldPath,
  addresses: readonly string[],
  wanted: Wanted,
): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0) {
    errors.push(declarative(fieldError.required(path)));
  } else if (addresses.length > ADDRESSES_MAX) {
    errors.push(declarative(fieldError.tooMany(path, addresses.length, ADDRESSES_MAX)));
  }
  for (const [index, address] of addresses.entries()) {
    errors.push(...validateAddress({ list: path, at: path.index(index) }, address, wanted));
  }
  return errors;
}

function validateAddress(
  { list, at }: { list: FieldPath; at: FieldPath },
  address: string,
  wanted: Wanted,
): FieldError[] {
  const { addressType } = wanted;
  if (addressType === 'FQDN') return validateDomain(at, address);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return [];
  const validate = addressType === 'IPv4' ? validateIpForLegacyField : validateIp;
  const errors = validate(at, address);
  if (errors.length > 0) return errors;
  if (parseIp(address)?.family !== addressType) {
    // Upstream's path is that of the list.
    errors.push(fieldError.invalid(list, address, `must be an ${addressType} address`));
  }
  return [...errors, ...validateEndpointIp(at, address, wanted)];
}

function validateDomain(path: FieldPath, address: string): FieldError[] {
  if (address === '') return [fieldError.required(path)];
  const name = address.replace(/\.$/, '');
  const details = dns1123SubdomainErrors(name);
  if (details.length > 0) return [fieldError.invalid(path, name, details.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    return [fieldError.invalid(path, name, detail)];
  }
  const bad = labels.find((label) => dns1123LabelErrors(label).length > 0);
  if (bad === undefined) return [];
  return [fieldError.invalid(path, bad, dns1123LabelErrors(bad).join(','))];
}

function validateHints(path: FieldPath, { forZones = [], forNodes = [] }: EndpointHints) {
  const errors: FieldError[] = [];
  const lists = [
    { name: 'forZones', list: forZones, details: labelValueErrors },
    { name: 'forNodes', list: forNodes, details: dns1123SubdomainErrors },
  ];
  for (const { name, list, details } of lists) {
    const at = path.child(name);
    if (list.length > HINTS_MAX) return [...errors, fieldError.tooMany(at, list.length, HINTS_MAX)];
    const seen = new Set<string>();
    for (const [index, hint] of list.entries()) {
      const namePath = at.index(index).child('name');
      if (seen.has(hint.name)) errors.push(fieldError.duplicate(namePath, hint.name));
      seen.add(hint.name);
      for (const detail of details(hint.name)) {
        errors.push(fieldError.invalid(namePath, hint.name, detail));
      }
    }
  }
  return errors;
}
