/** Validates services; `live` is set for updates, which may keep values that were valid before. */

import type { Service, ServiceSpec } from '@tributary/api/core-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  root,
  validateCidrForLegacyField,
  validateEndpointIp,
  validateIpForLegacyField,
  validateLabels,
} from '@tributary/apimachinery';
import { validateSubdomain } from '../../shared/validate-names.ts';
import { isHeadless } from './service-facts.ts';
import { validateClusterIps } from './validate-cluster-ips.ts';
import { validateBalancerClass, validateTraffic } from './validate-exposure.ts';
import { validateNodePorts, validatePortPairs, validatePorts } from './validate-ports.ts';

export const topologyHints = 'service.kubernetes.io/topology-aware-hints';
export const topologyMode = 'service.kubernetes.io/topology-mode';
const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const AFFINITY_SECONDS_MAX = 86_400;

const SPEC = root('spec');
const ANNOTATIONS = root('metadata', 'annotations');
const types: readonly string[] = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinities: readonly string[] = ['ClientIP', 'None'];

export function validateServiceContent(service: Service, live?: Service): FieldError[] {
  const { spec } = service;
  return [
    ...validateTopology(service),
    ...validateByType(service),
    ...validatePorts(SPEC.child('ports'), spec.ports ?? []),
    ...validateLabels(spec.selector, SPEC.child('selector')),
    ...validateAffinity(spec),
    ...validateClusterIps(service, live),
    ...validateExternalIps(spec, live?.spec.externalIPs),
    ...validateType(spec.type),
    ...validateNodePorts(SPEC.child('ports'), spec),
    ...validatePortPairs(SPEC.child('ports'), spec.ports ?? []),
    ...validateSourceRanges(service, live),
    ...validateBalancerPorts(spec),
    ...validateBalancerClass(service),
    ...validateTraffic(service),
  ];
}

function validateTopology({ metadata: { annotations = {} } }: Service): FieldError[] {
  const mode = annotations[topologyMode];
  const hints = annotations[topologyHints];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  const detail = `must match annotations[${topologyHints}] when both are specified`;
  return [fieldError.invalid(ANNOTATIONS.key(topologyMode), mode, detail)];
}

function validateByType(service: Service): FieldError[] {
  const { spec } = service;
  const errors: FieldError[] = [];
  const headless = isHeadless(service);
  if ((spec.ports ?? []).length === 0 && !headless && spec.type !== 'ExternalName') {
    errors.push(fieldError.required(SPEC.child('ports')));
  }
  if (headless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    const detail = `may not be set to 'None' for ${spec.type} services`;
    errors.push(fieldError.invalid(SPEC.child('clusterIPs').index(0), 'None', detail));
  }
  if (spec.type === 'ExternalName') errors.push(...validateExternalName(spec));
  return errors;
}

function validateExternalName(spec: ServiceSpec): FieldError[] {
  const detail = 'may not be set for ExternalName services';
  const errors: FieldError[] = [];
  for (const field of ['clusterIPs', 'ipFamilies'] as const) {
    if ((spec[field] ?? []).length > 0)
      errors.push(fieldError.forbidden(SPEC.child(field), detail));
  }
  if (spec.ipFamilyPolicy !== undefined) {
    errors.push(fieldError.forbidden(SPEC.child('ipFamilyPolicy'), detail));
  }
  // A trailing dot makes a name absolute.
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  const path = SPEC.child('externalName');
  return [
    ...errors,
    ...(name === '' ? [fieldError.required(path)] : validateSubdomain(path, name)),
  ];
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec) {
  const path = SPEC.child('sessionAffinity');
  if (!sessionAffinity) return [fieldError.required(path)];
  if (!affinities.includes(sessionAffinity)) {
    return [fieldError.notSupported(path, sessionAffinity, affinities)];
  }
  const configPath = SPEC.child('sessionAffinityConfig');
  if (sessionAffinity === 'ClientIP') return validateClientIp(configPath, config);
  if (config === undefined) return [];
  return [fieldError.forbidden(configPath, 'must not be set when session affinity is None')];
}

function validateClientIp(
  path: FieldPath,
  config: ServiceSpec['sessionAffinityConfig'],
): FieldError[] {
  const detail = 'when session affinity type is ClientIP';
  if (config === undefined) return [fieldError.required(path, detail)];
  const clientPath = path.child('clientIP');
  if (config.clientIP === undefined) return [fieldError.required(clientPath, detail)];
  const seconds = config.clientIP.timeoutSeconds;
  const secondsPath = clientPath.child('timeoutSeconds');
  if (seconds === undefined) return [fieldError.required(secondsPath, detail)];
  if (seconds > 0 && seconds <= AFFINITY_SECONDS_MAX) return [];
  const bounds = `must be greater than 0 and less than ${AFFINITY_SECONDS_MAX}`;
  return [fieldError.invalid(secondsPath, seconds, bounds)];
}

function validateExternalIps(
  { externalIPs = [] }: ServiceSpec,
  before: readonly string[] | undefined,
): FieldError[] {
  return externalIPs.flatMap((ip, index) => {
    const path = SPEC.child('externalIPs').index(index);
    const errors = validateIpForLegacyField(path, ip, before);
    return errors.length > 0 ? errors : validateEndpointIp(path, ip);
  });
}

function validateType(type: string | undefined): FieldError[] {
  const path = SPEC.child('type');
  if (!type) return [fieldError.required(path)];
  return types.includes(type) ? [] : [fieldError.notSupported(path, type, types)];
}

function validateSourceRanges(service: Service, live: Service | undefined): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [], type } = service.spec;
  const annotation = service.metadata.annotations?.[SOURCE_RANGES];
  if (ranges.length === 0 && annotation === undefined) return [];
  // Upstream spells the field like this in errors.
  const path =
    ranges.length > 0 ? SPEC.child('LoadBalancerSourceRanges') : ANNOTATIONS.key(SOURCE_RANGES);
  const errors: FieldError[] = [];
  if (type !== 'LoadBalancer') {
    const detail = "may only be used when `type` is 'LoadBalancer'";
    errors.push(fieldError.forbidden(path, detail));
  }
  if (ranges.length > 0) {
    const before = (live?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    for (const [index, range] of ranges.entries()) {
      errors.push(...validateCidrForLegacyField(path.index(index), range.trim(), before));
    }
    return errors;
  }
  const isUnchanged =
    live !== undefined && live.metadata.annotations?.[SOURCE_RANGES] === annotation;
  const text = annotation?.trim() ?? '';
  if (isUnchanged || text === '') return errors;
  return [
    ...errors,
    ...text.split(',').flatMap((range) => validateCidrForLegacyField(path, range.trim())),
  ];
}

function validateBalancerPorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): FieldError[] {
  const name = 'allocateLoadBalancerNodePorts';
  if (type === 'LoadBalancer') {
    // Upstream's path lacks `spec`.
    return allocateLoadBalancerNodePorts === undefined ? [fieldError.required(root(name))] : [];
  }
  if (allocateLoadBalancerNodePorts === undefined) return [];
  const detail = "may only be used when `type` is 'LoadBalancer'";
  return [fieldError.forbidden(SPEC.child(name), detail)];
}
