/** Which requests are whose. */
import type { ApiRequest } from '@tributary/server';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';

/** The health and the metrics of this process must not be those of another. */
const OWN = /^\/(?:healthz|livez|readyz|metrics)(?:\/|$)/;
const REGISTRATIONS = `/apis/${REGISTRATION_GROUP}`;

/** Answered here, and never by the cluster. The path is decoded. */
export function isLocalPath(path: string): boolean {
  return OWN.test(path) || path === REGISTRATIONS || path.startsWith(`${REGISTRATIONS}/`);
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Something was written that decides what the cluster serves. */
export function mayChangeDiscovery(
  { method, info }: Pick<ApiRequest, 'method' | 'info'>,
  status: number,
): boolean {
  return status < 300 && info.group === 'apiextensions.k8s.io' && !READS.has(method);
}
