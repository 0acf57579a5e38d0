/** The flow schemas and priority levels that the original makes when it starts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { httpsRequest } from '../../test/harness/index.ts';
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
const WAIT_MS_MAX = 20_000;
const LAST = 'catch-all';

export async function readOriginalObjects(access: ServerAccess): Promise<RecordedObjects> {
  const endMs = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const flowschemas = await readAll(access, 'flowschemas');
    if (flowschemas.some(({ metadata }) => metadata.name === LAST)) {
      const prioritylevelconfigurations = await readAll(access, 'prioritylevelconfigurations');
      return { prioritylevelconfigurations, flowschemas };
    }
    if (Date.now() > endMs) throw new Error(`there is no flow schema ${LAST}`);
    await sleep(200);
  }
}

async function readAll(
  { url, ca, admin }: ServerAccess,
  resource: keyof RecordedObjects,
): Promise<RecordedObject[]> {
  const path = `/apis/flowcontrol.apiserver.k8s.io/v1/${resource}`;
  const answer = await httpsRequest(url + path, { ca, ...admin });
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.body}`);
  const { items } = answer.json() as { items: RecordedObject[] };
  return items.map(({ metadata: { name, annotations }, spec }) => ({
    metadata: { name, annotations },
    spec,
  }));
}
