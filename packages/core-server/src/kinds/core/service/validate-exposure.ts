/** Validates traffic policies and load balancers. */

import type { Service } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  parseIp,
  root,
  validateIpForLegacyField,
} from '@tributary/apimachinery';
import {
  validatePortNumber,
  validateQualifiedName,
  validateSubdomain,
} from '../../shared/validate-names.ts';
import { isExternallyAccessible, needsHealthCheck } from './service-facts.ts';

const SPEC = root('spec');
const policies: readonly string[] = ['Cluster', 'Local'];
const distributions: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const ipModes: readonly string[] = ['Proxy', 'VIP'];

export function validateBalancerClass({ spec }: Service): FieldError[] {
  const { loadBalancerClass, type } = spec;
  if (loadBalancerClass === undefined) return [];
  const path = SPEC.child('loadBalancerClass');
  if (type === 'LoadBalancer') return validateQualifiedName(path, loadBalancerClass);
  return [fieldError.forbidden(path, "may only be used when `type` is 'LoadBalancer'")];
}

export function validateTraffic(service: Service): FieldError[] {
  return [
    ...validateExternalPolicy(service),
    ...validateHealthCheckPort(service),
    ...validateInternalPolicy(service),
    ...validateDistribution(service),
  ];
}

function validateExternalPolicy(service: Service): FieldError[] {
  const policy = service.spec.externalTrafficPolicy ?? '';
  const path = SPEC.child('externalTrafficPolicy');
  if (!isExternallyAccessible(service)) {
    if (policy === '') return [];
    const detail = 'may only be set for externally-accessible services';
    return [fieldError.invalid(path, policy, detail)];
  }
  if (policy === '') return [fieldError.required(path)];
  return policies.includes(policy) ? [] : [fieldError.notSupported(path, policy, policies)];
}

function validateHealthCheckPort(service: Service): FieldError[] {
  const port = service.spec.healthCheckNodePort ?? 0;
  const path = SPEC.child('healthCheckNodePort');
  if (needsHealthCheck(service)) {
    return port === 0 ? [fieldError.required(path)] : validatePortNumber(path, port);
  }
  if (port === 0) return [];
  const detail =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [fieldError.invalid(path, port, detail)];
}

function validateInternalPolicy({ spec }: Service): FieldError[] {
  const { internalTrafficPolicy: policy, type = '' } = spec;
  const path = SPEC.child('internalTrafficPolicy');
  if (policy === undefined) {
    const isNeeded = ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(type);
    return isNeeded ? [fieldError.required(path)] : [];
  }
  return policies.includes(policy) ? [] : [fieldError.notSupported(path, policy, policies)];
}

function validateDistribution({ spec: { trafficDistribution } }: Service): FieldError[] {
  if (trafficDistribution === undefined || distributions.includes(trafficDistribution)) return [];
  const path = SPEC.child('trafficDistribution');
  return [fieldError.notSupported(path, trafficDistribution, distributions)];
}

/** Validates the status of the load balancer. */
export function validateBalancerStatus({ spec, status }: Service, live: Service): FieldError[] {
  const path = root('status', 'loadBalancer', 'ingress');
  const ingresses = status?.loadBalancer?.ingress ?? [];
  if (ingresses.length === 0) return [];
  if (spec.type !== 'LoadBalancer') {
    return [fieldError.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const before = (live.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingresses.flatMap(({ ip, ipMode, hostname }, index) => {
    const at = path.index(index);
    const errors = ip ? validateIpForLegacyField(at.child('ip'), ip, before) : [];
    const modePath = at.child('ipMode');
    if (ipMode === undefined) {
      if (ip) errors.push(fieldError.required(modePath, 'must be specified when `ip` is set'));
    } else if (!ip) {
      const detail = 'may not be specified when `ip` is not set';
      errors.push(fieldError.forbidden(modePath, detail));
    } else if (!ipModes.includes(ipMode)) {
      errors.push(fieldError.notSupported(modePath, ipMode, ipModes));
    }
    if (!hostname) return errors;
    errors.push(...validateSubdomain(at.child('hostname'), hostname));
    if (parseIp(hostname) !== undefined) {
      const detail = 'must be a DNS name, not an IP address';
      errors.push(fieldError.invalid(at.child('hostname'), hostname, detail));
    }
    return errors;
  });
}
