/** Steps that many rows have. */
import type { Json } from '../../differential/json.ts';
import type { RequestStep } from '../../differential/row.ts';

const REGISTRATIONS = '/apis/apiregistration.k8s.io/v1/apiservices';

export interface RegistrationBody {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly [field: string]: Json };
}

export function named(group: string, version: string): string {
  return `${version}.${group}`;
}

/** A registration of a service that does not exist. */
export function unreachable(
  group: string,
  version: string,
  [groupPriorityMinimum, versionPriority]: readonly [number, number] = [1000, 15],
): RegistrationBody {
  return {
    metadata: { name: named(group, version) },
    spec: {
      group,
      version,
      groupPriorityMinimum,
      versionPriority,
      service: { namespace: 'default', name: 'none' },
      insecureSkipTLSVerify: true,
    },
  };
}

export function registered(body: RegistrationBody): RequestStep {
  const { metadata, spec } = body;
  const path = REGISTRATIONS;
  return {
    name: `register ${metadata.name}`,
    method: 'POST',
    path,
    body: { metadata, spec },
    setup: true,
  };
}

export function deleted(name: string): RequestStep {
  return {
    name: `delete ${name}`,
    method: 'DELETE',
    path: `${REGISTRATIONS}/${name}`,
    setup: true,
  };
}
