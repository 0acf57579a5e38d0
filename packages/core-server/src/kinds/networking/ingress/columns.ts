import type { Ingress, IngressSpec } from '@tributary/api/networking-v1';

const HOSTS_SHOWN = 3;

export function hostsText({ rules = [] }: IngressSpec): string {
  const hosts = rules.map(({ host }) => host ?? '').filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  const more = rules.length - HOSTS_SHOWN;
  const shown = hosts.slice(0, HOSTS_SHOWN).join(',');
  return more > 0 && hosts.length >= HOSTS_SHOWN ? `${shown} + ${more} more...` : shown;
}

export function addressText({ status }: Ingress): string {
  const positions = (status.loadBalancer.ingress ?? []).map(
    ({ ip, hostname }) => ip || hostname || '',
  );
  return [...new Set(positions.filter((fieldPath) => fieldPath !== ''))].sort().join(',');
}
