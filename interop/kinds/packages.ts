/** Which parts of the API are generated, and where each Go package goes. */

/** Paths of the documents below /openapi/v3. */
export const groupVersions: readonly string[] = [
  'api/v1',
  'apis/admissionregistration.k8s.io/v1',
  'apis/apiextensions.k8s.io/v1',
  'apis/apiregistration.k8s.io/v1',
  'apis/apps/v1',
  'apis/authentication.k8s.io/v1',
  'apis/authorization.k8s.io/v1',
  'apis/autoscaling/v1',
  'apis/autoscaling/v2',
  'apis/batch/v1',
  'apis/certificates.k8s.io/v1',
  'apis/coordination.k8s.io/v1',
  'apis/discovery.k8s.io/v1',
  'apis/events.k8s.io/v1',
  'apis/flowcontrol.apiserver.k8s.io/v1',
  'apis/networking.k8s.io/v1',
  'apis/node.k8s.io/v1',
  'apis/policy/v1',
  'apis/rbac.authorization.k8s.io/v1',
  'apis/scheduling.k8s.io/v1',
  'apis/storage.k8s.io/v1',
];

/** The file of the types that all groups share. */
export const sharedFile = 'meta-v1';

export interface PackagePlace {
  readonly path: string;
  /** Without its ending. */
  readonly file: string;
  /** The name of the package in the generated files. */
  readonly constant: string;
}

export function placeOf(path: string): PackagePlace {
  const [version = '', group = ''] = path.split('/').reverse();
  if (path === META) return { path, file: sharedFile, constant: 'metaV1' };
  if (path.startsWith('k8s.io/apimachinery/')) return { path, file: sharedFile, constant: version };
  return { path, file: `${group}-${version}`, constant: group + version.toUpperCase() };
}

const META = 'k8s.io/apimachinery/pkg/apis/meta/v1';

/** `k8s.io/api/core/v1.ServiceSpec` in its two parts. */
export function splitName(type: string): { path: string; name: string } {
  const at = type.lastIndexOf('.');
  return { path: type.slice(0, at), name: type.slice(at + 1) };
}
