/** The API that manifests are about, from the flags that say so. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiDefinition } from '@tributary/server';
import { version } from '../version.ts';

export interface ApiFlags {
  readonly group?: string;
  /** A file, and after `#` the name of what it exports. */
  readonly apiModule?: string;
}

export interface FoundApi {
  readonly api: ApiDefinition;
  /** Absent where it is unknown. */
  readonly image: string | undefined;
}

/** The samples of this project. They are programs of their own: this one asks for them only here. */
const samples: ReadonlyMap<string, { module: string; name: string; image: string }> = new Map([
  [
    'wardle.example.com',
    { module: '@tributary/sample-wardle', name: 'wardle', image: 'tributary-wardle-apiserver' },
  ],
]);

export async function findApi({ group, apiModule }: ApiFlags): Promise<FoundApi> {
  if (apiModule !== undefined) {
    const api = await apiOfFile(apiModule);
    if (group !== undefined && group !== api.group) {
      throw new Error(`${apiModule} serves ${api.group}, not ${group}`);
    }
    return { api, image: undefined };
  }
  const known = [...samples.keys()].join(', ');
  if (group === undefined) {
    throw new Error(`say which API: a group (${known}), or --api-module FILE#EXPORT`);
  }
  const sample = samples.get(group);
  if (sample === undefined) {
    throw new Error(
      `${group} is not among the samples (${known}): name the module that defines it, --api-module FILE#EXPORT`,
    );
  }
  const found = await importFrom(sample.module, sample.module);
  return { api: apiIn(found, sample), image: `${sample.image}:${version()}` };
}

async function apiOfFile(text: string): Promise<ApiDefinition> {
  const hash = text.lastIndexOf('#');
  const file = hash === -1 ? text : text.slice(0, hash);
  const found = await importFrom(pathToFileURL(resolve(file)).href, file);
  if (hash !== -1) return apiIn(found, { module: file, name: text.slice(hash + 1) });
  const names = Object.keys(found).filter((name) => isApi(found[name]));
  const [name] = names;
  if (name !== undefined && names.length === 1) return apiIn(found, { module: file, name });
  throw new Error(
    names.length === 0
      ? `${file} exports no API: defineApi makes one`
      : `${file} exports several APIs (${names.join(', ')}): say which, ${file}#${name}`,
  );
}

async function importFrom(specifier: string, name: string): Promise<Record<string, unknown>> {
  try {
    return (await import(specifier)) as Record<string, unknown>;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} cannot be read: ${why}`, { cause: error });
  }
}

function apiIn(
  exported: Readonly<Record<string, unknown>>,
  { module, name }: { readonly module: string; readonly name: string },
): ApiDefinition {
  const api = Object.hasOwn(exported, name) ? exported[name] : undefined;
  if (api === undefined) throw new Error(`${module} exports nothing that is called ${name}`);
  if (!isApi(api)) throw new Error(`${module}#${name} is no API: defineApi makes one`);
  return api;
}

function isApi(value: unknown): value is ApiDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { group, versions, resources } = value as Partial<ApiDefinition>;
  return typeof group === 'string' && Array.isArray(versions) && Array.isArray(resources);
}
