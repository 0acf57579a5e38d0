import type { Service } from '@tributary/api/core-v1';
import { root, warningsForCidr, warningsForIp } from '@tributary/apimachinery';
import { NO_CLUSTER_IP } from './service-facts.ts';
import { topologyHints, topologyMode } from './validation.ts';

const SPEC = root('spec');

/** A status update gets only warnings about the status. */
export function serviceWarnings(service: Service, _live?: Service, part?: 'status'): string[] {
  return part === 'status' ? statusWarnings(service) : specWarnings(service);
}

function statusWarnings({ status }: Service): string[] {
  const path = root('status', 'loadBalancer', 'ingress');
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) =>
    ip ? warningsForIp(path.index(index), ip) : [],
  );
}

function specWarnings(service: Service): string[] {
  const { metadata, spec } = service;
  const { externalIPs = [], clusterIPs = [], loadBalancerIP, loadBalancerSourceRanges = [] } = spec;
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === NO_CLUSTER_IP;
  const warnings: string[] = [];
  if (Object.hasOwn(metadata.annotations ?? {}, topologyHints)) {
    warnings.push(`annotation ${topologyHints} is deprecated, please use ${topologyMode} instead`);
  }
  if (spec.clusterIP && spec.clusterIP !== NO_CLUSTER_IP) {
    for (const [index, ip] of clusterIPs.entries()) {
      warnings.push(...warningsForIp(SPEC.child('clusterIPs').index(index), ip));
    }
  }
  if (isHeadless) warnings.push(...headlessWarnings(service));
  for (const [index, ip] of externalIPs.entries()) {
    warnings.push(...warningsForIp(SPEC.child('externalIPs').index(index), ip));
  }
  if (externalIPs.length > 0 && !isHeadless && spec.type !== 'ExternalName') {
    warnings.push(
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    );
  }
  if (loadBalancerIP) warnings.push(...warningsForIp(SPEC.child('loadBalancerIP'), loadBalancerIP));
  for (const [index, range] of loadBalancerSourceRanges.entries()) {
    warnings.push(...warningsForCidr(SPEC.child('loadBalancerSourceRanges').index(index), range));
  }
  return [...warnings, ...ignoredWarnings(service)];
}

function headlessWarnings({ spec }: Service): string[] {
  const ignored = {
    'spec.loadBalancerIP': Boolean(spec.loadBalancerIP),
    'spec.externalIPs': (spec.externalIPs ?? []).length > 0,
    'spec.SessionAffinity': spec.sessionAffinity !== 'None',
  };
  return Object.entries(ignored)
    .filter(([, isSet]) => isSet)
    .map(([field]) => `${field} is ignored for headless services`);
}

function ignoredWarnings({ spec }: Service): string[] {
  const warnings: string[] = [];
  if (spec.type === 'ExternalName' && (spec.externalIPs ?? []).length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (spec.type !== 'ExternalName' && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
