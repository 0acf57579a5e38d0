import type { GroupResource } from '@tributary/apimachinery';

/** Key segments that are older than the resources' names. */
const FORMER: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
};

/** The key prefix of built-in kinds upstream, which some errors show. */
export function upstreamKeyPrefix({ group, resource }: GroupResource): string {
  const qualified = group ? `${resource}.${group}` : resource;
  return `/registry/${FORMER[qualified] ?? resource}/`;
}
