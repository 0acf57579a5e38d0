/** The generated module: one object a line, so that a new release shows as a readable difference. */
import { join } from 'node:path';
import type { RecordedObject, RecordedPolicy } from './original-policy.ts';

export const policyModule = join(
  import.meta.dirname,
  '../../packages/core-server/src/rbac/bootstrap-policy.generated.ts',
);

export function renderPolicyModule(policy: RecordedPolicy, version: string): string {
  const json = renderPolicy(policy);
  if (/[`\\$]/.test(json)) throw new Error('the policy has characters that a template changes');
  return `// Recorded from kube-apiserver ${version} by \`npm run record:rbac\`; not edited by hand.
export const bootstrapPolicyJson = \`${json}\`;
`;
}

function renderPolicy(policy: RecordedPolicy): string {
  const resources = Object.entries(policy).map(
    ([resource, objects]) => `"${resource}":[\n${objects.map(renderObject).join(',\n')}\n]`,
  );
  return `{${resources.join(',\n')}}`;
}

function renderObject(object: RecordedObject): string {
  return JSON.stringify(object);
}
