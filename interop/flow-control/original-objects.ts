/** The flow schemas and priority levels that the original makes when it starts. */
import { eventually, httpsRequest } from '../../test/harness/index.ts';
import type { ServerAccess } from '../stack.ts';

export interface RecordedObject {
  readonly metadata: {
    readonly name: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: unknown;
}

export interface RecordedObjects {
  readonly prioritylevelconfigurations: readonly RecordedObject[];
  readonly flowschemas: readonly RecordedObject[];
}

/** They are made after the server is ready, the last of them last. */
const LAST = 'catch-all';

export async function readOriginalObjects(access: ServerAccess): Promise<RecordedObjects> {
  const flowschemas = await eventually(
    `there is a flow schema ${LAST}`,
    async () => {
      const found = await readAll(access, 'flowschemas');
      return found.some(({ metadata }) => metadata.name === LAST) ? found : undefined;
    },
    { withinMs: 60_000, everyMs: 100 },
  );
  const prioritylevelconfigurations = await readAll(access, 'prioritylevelconfigurations');
  return { prioritylevelconfigurations, flowschemas };
}

async function readAll(
  { url, ca, admin }: ServerAccess,
  resource: keyof RecordedObjects,
): Promise<RecordedObject[]> {
  const path = `/apis/flowcontrol.apiserver.k8s.io/v1/${resource}`;
  const response = await httpsRequest(url + path, { ca, ...admin });
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${response.body}`);
  const { items } = response.json() as { items: RecordedObject[] };
  return items.map(({ metadata: { name, annotations }, spec }) => ({
    metadata: { name, annotations },
    spec,
  }));
}
