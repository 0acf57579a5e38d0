import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '@tributary/api/networking-v1';
import {
  declarative,
  type FieldError,
  type FieldPath,
  fieldError,
  parsePrefix,
  root,
  validateCidrForLegacyField,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { validateSelectorTerms } from '../../../rbac/label-selector-terms.ts';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import { validatePortName, validatePortNumber } from '../../shared/validate-names.ts';
import { type PeerAt, rulesOf } from './peers.ts';

const METADATA_RULES = { namespaced: true, validateName: validateDnsSubdomainName };
const SPEC = root('spec');
const POLICY_TYPES = ['Ingress', 'Egress'];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

export function validateNetworkPolicy(policy: NetworkPolicy): FieldError[] {
  return [...metadataErrors(policy, METADATA_RULES), ...validateSpec(policy.spec, [])];
}

/** CIDRs that were valid by older, lax rules may stay. */
export function validateNetworkPolicyUpdate(next: NetworkPolicy, live: NetworkPolicy) {
  const before = rulesOf(live.spec).flatMap(({ peers }) =>
    peers.flatMap(({ peer: { ipBlock } }) =>
      ipBlock === undefined ? [] : [ipBlock.cidr, ...(ipBlock.except ?? [])],
    ),
  );
  return [...metadataUpdateErrors(next, live), ...validateSpec(next.spec, before)];
}

function validateSpec(spec: NetworkPolicySpec, before: readonly string[]): FieldError[] {
  return [
    ...validateSelectorTerms(spec.podSelector, SPEC.child('podSelector')),
    ...rulesOf(spec).flatMap(({ ports, portsPath, peers }) => [
      ...ports.flatMap((port, index) => validatePort(port, portsPath.index(index))),
      ...peers.flatMap((peer) => validatePeer(peer, before)),
    ]),
    ...validatePolicyTypes(spec.policyTypes ?? []),
  ];
}

function validatePolicyTypes(types: readonly string[]): FieldError[] {
  const path = SPEC.child('policyTypes');
  if (types.length > POLICY_TYPES.length) {
    return [fieldError.invalid(path, types, 'may not specify more than two policyTypes')];
  }
  return types.flatMap((type, index) =>
    POLICY_TYPES.includes(type)
      ? []
      : [fieldError.notSupported(path.index(index), type, POLICY_TYPES)],
  );
}

function validatePort(port: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const { protocol } = port;
  const errors =
    protocol === undefined || PROTOCOLS.includes(protocol)
      ? []
      : [fieldError.notSupported(path.child('protocol'), protocol, PROTOCOLS)];
  return [...errors, ...validateRange(port, path)];
}

function validateRange({ port, endPort }: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const end = path.child('endPort');
  if (port === undefined) {
    const detail = 'may not be specified when `port` is not specified';
    return endPort === undefined ? [] : [fieldError.invalid(end, endPort, detail)];
  }
  if (typeof port === 'string') {
    const detail = 'may not be specified when `port` is non-numeric';
    const errors = endPort === undefined ? [] : [fieldError.invalid(end, endPort, detail)];
    return [...errors, ...validatePortName(path.child('port'), port)];
  }
  const errors = validatePortNumber(path.child('port'), port);
  if (endPort === undefined) return errors;
  if (endPort < port) {
    errors.push(fieldError.invalid(end, endPort, 'must be greater than or equal to `port`'));
  }
  return [...errors, ...validatePortNumber(end, endPort)];
}

function validatePeer({ peer, path }: PeerAt, before: readonly string[]): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors = [
    ...(podSelector ? validateSelectorTerms(podSelector, path.child('podSelector')) : []),
    ...(namespaceSelector
      ? validateSelectorTerms(namespaceSelector, path.child('namespaceSelector'))
      : []),
    ...(ipBlock ? validateBlock(ipBlock, path.child('ipBlock'), before) : []),
  ];
  if (!podSelector && !namespaceSelector && !ipBlock) {
    errors.push(fieldError.required(path, 'must specify a peer'));
  } else if (ipBlock && (podSelector || namespaceSelector)) {
    errors.push(fieldError.forbidden(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function validateBlock(
  { cidr, except = [] }: IPBlock,
  path: FieldPath,
  before: readonly string[],
): FieldError[] {
  if (!cidr) return [declarative(fieldError.required(path.child('cidr')))];
  const errors = validateCidrForLegacyField(path.child('cidr'), cidr, before);
  if (parsePrefix(cidr) === undefined) return errors;
  return [
    ...errors,
    ...except.flatMap((one, index) => {
      const at = path.child('except').index(index);
      const wrong = validateCidrForLegacyField(at, one, before);
      if (parsePrefix(one) === undefined || isStrictlyWithin(one, cidr)) return wrong;
      return [...wrong, fieldError.invalid(at, one, 'must be a strict subset of `cidr`')];
    }),
  ];
}

function isStrictlyWithin(inner: string, outer: string): boolean {
  const [small, large] = [parsePrefix(inner), parsePrefix(outer)];
  if (small === undefined || large === undefined) return false;
  if (small.address.family !== large.address.family || small.bits <= large.bits) return false;
  const shift = BigInt(large.width - large.bits);
  return small.network >> shift === large.network >> shift;
}
