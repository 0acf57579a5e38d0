/** The generated module: one object a line, so that a new release shows as a readable difference. */
import { join } from 'node:path';
import type { RecordedObjects } from './original-objects.ts';

export const objectsModule = join(
  import.meta.dirname,
  '../../packages/core-server/src/flow-control/bootstrap-objects.generated.ts',
);

export function renderObjectsModule(objects: RecordedObjects, version: string): string {
  const resources = Object.entries(objects).map(
    ([resource, list]) =>
      `"${resource}":[\n${list.map((one: unknown) => JSON.stringify(one)).join(',\n')}\n]`,
  );
  const json = `{${resources.join(',\n')}}`;
  if (/[`\\$]/.test(json)) throw new Error('the objects have characters that a template changes');
  return `// Recorded from kube-apiserver ${version} by \`npm run record:flow-control\`; not edited by hand.
export const bootstrapObjectsJson = \`${json}\`;
`;
}
