import type { KubeObject } from '@tributary/apimachinery';
import type { ApiDefinition } from '../../definition/api.ts';
import { type Installation, SERVICE_PORT, type ServingTrust } from './bootstrap-options.ts';
import { manifest } from './manifest.ts';
import { base64 } from './workload.ts';

/** The priority of custom resource groups, below that of Kubernetes' own. */
const GROUP_PRIORITY = 1_000;
/** The priority of the last version, as in upstream's samples. */
const VERSION_PRIORITY = 15;

/** One APIService per version; the preferred version has the highest priority. */
export function registrations(installation: Installation, api: ApiDefinition): KubeObject[] {
  const { namespace, service, trust } = installation;
  const { group, versions } = api;
  return versions.map((version, index) =>
    manifest(
      installation,
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        name: `${version}.${group}`,
      },
      {
        spec: {
          ...verification(trust),
          group,
          groupPriorityMinimum: GROUP_PRIORITY,
          service: { name: service, namespace, port: SERVICE_PORT },
          version,
          versionPriority: VERSION_PRIORITY + versions.length - 1 - index,
        },
      },
    ),
  );
}

function verification(trust: ServingTrust | undefined) {
  if (trust === undefined) return {};
  return trust.kind === 'ca' ? { caBundle: base64(trust.ca) } : { insecureSkipTLSVerify: true };
}
