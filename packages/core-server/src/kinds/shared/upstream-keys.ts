import type { GroupResource } from '@tributary/apimachinery';

/** Older than the names that these resources have today. */
const FORMER: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
};

/** Where the original keeps objects of its own kinds, whatever their group; some refusals name the key. */
export function upstreamKeyPrefix({ group, resource }: GroupResource): string {
  const qualified = group ? `${resource}.${group}` : resource;
  return `/registry/${FORMER[qualified] ?? resource}/`;
}
