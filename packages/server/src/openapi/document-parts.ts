/** What the documents are about, before it is written in one version of OpenAPI or the other. */
import { isDeepStrictEqual } from 'node:util';
import { formatGroupVersion, type GroupVersion } from '@tributary/apimachinery';
import type { ApiDefinition } from '../api.ts';
import { groupVersionPath, servedVersions } from '../discovery/served.ts';
import { actionDefinitions } from './action-definition.ts';
import { groupVersionTag, groupVersionWords } from './definition-name.ts';
import { kindDefinitions } from './kind-definitions.ts';
import { metaDefinitions, metaNames } from './meta-definitions.ts';
import type { Operation } from './operation.ts';
import { documentOperation, resourceOperations } from './operations.ts';
import { referencesOf, type SchemaObject } from './schema-object.ts';

export type Definitions = ReadonlyMap<string, SchemaObject>;

/** One document of version 3; the one document of version 2 has all of them. */
export interface DocumentPart {
  /** The path below `/openapi/v3`. */
  readonly key: string;
  readonly operations: readonly Operation[];
  /** What the operations refer to, directly or not. */
  readonly definitions: Definitions;
}

export interface PartOptions {
  /** Media types of the patches that are implemented; without any, no patch is described. */
  readonly patchTypes: readonly string[];
}

/** All of them, one after the other. */
export function documentParts(
  apis: readonly ApiDefinition[],
  options: PartOptions,
): DocumentPart[] {
  return [...commonParts(apis), ...apis.flatMap((api) => atOnce(groupParts(api, options)))];
}

/** Those that are of no group. */
export function commonParts(apis: readonly ApiDefinition[]): DocumentPart[] {
  const shared = metaDefinitions([]);
  return [...rootParts(apis, shared), atOnce(part('version', [versionOperation], shared))];
}

/** Those of one group; steps end at each `yield`, because together they take a while. */
export function* groupParts(
  api: ApiDefinition,
  options: PartOptions,
): Generator<void, DocumentPart[]> {
  const parts: DocumentPart[] = [];
  if (api.group !== '') parts.push(yield* groupPart(api, metaDefinitions([])));
  for (const version of api.versions) parts.push(yield* groupVersionPart(api, version, options));
  return parts;
}

export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** All parts as one; the types that are of every group version list all of them. */
export function wholeDocument(
  apis: readonly ApiDefinition[],
  parts: readonly DocumentPart[],
): DocumentPart {
  const groupVersions = apis.flatMap(({ group, versions }) =>
    versions.map((version) => ({ group, version })),
  );
  groupVersions.sort((a, b) => (formatGroupVersion(a) < formatGroupVersion(b) ? -1 : 1));
  const definitions = new Map(parts.flatMap((one) => [...one.definitions]));
  const shared = metaDefinitions(groupVersions);
  for (const name of definitions.keys()) {
    const schema = shared.get(name);
    if (schema !== undefined) definitions.set(name, schema);
  }
  return { key: '', operations: parts.flatMap(({ operations }) => operations), definitions };
}

function rootParts(apis: readonly ApiDefinition[], shared: Definitions): DocumentPart[] {
  const root = (path: string, tag: string, definition: string) =>
    documentOperation({
      path: `${path}/`,
      tag,
      id: path === '/api' ? 'getCoreAPIVersions' : 'getAPIVersions',
      description: 'List the versions that are served.',
      definition,
    });
  return [
    ...(apis.some(({ group }) => group === '')
      ? [atOnce(part('api', [root('/api', 'core', metaNames.apiVersions)], shared))]
      : []),
    atOnce(part('apis', [root('/apis', 'apis', metaNames.apiGroupList)], shared)),
  ];
}

function groupPart({ group }: ApiDefinition, shared: Definitions): Generator<void, DocumentPart> {
  const operation = documentOperation({
    path: `/apis/${group}/`,
    tag: groupVersionTag({ group }),
    id: `get${groupVersionWords({ group })}APIGroup`,
    description: 'Describe the group.',
    definition: metaNames.apiGroup,
  });
  return part(`apis/${group}`, [operation], shared);
}

function* groupVersionPart(
  api: ApiDefinition,
  version: string,
  options: PartOptions,
): Generator<void, DocumentPart> {
  const groupVersion: GroupVersion = { group: api.group, version };
  const path = groupVersionPath(api, version);
  const definitions = new Map(metaDefinitions([groupVersion]));
  const operations = [
    documentOperation({
      path: `${path}/`,
      tag: groupVersionTag(groupVersion),
      id: `get${groupVersionWords(groupVersion)}APIResources`,
      description: 'List the resources that are served.',
      definition: metaNames.apiResourceList,
    }),
  ];
  for (const entry of servedVersions(api, version)) {
    for (const [name, schema] of kindDefinitions(entry)) define(definitions, name, schema);
    for (const [name, schema] of actionDefinitions(entry)) define(definitions, name, schema);
    operations.push(...resourceOperations(entry, path, options.patchTypes));
    yield;
  }
  return yield* part(path.slice(1), operations, definitions);
}

/**
 * A part that an author named can take the name of another kind's, and must not replace it. Actions of several
 * resources may take the same kind.
 */
function define(definitions: Map<string, SchemaObject>, name: string, schema: SchemaObject): void {
  const known = definitions.get(name);
  if (known !== undefined && !isDeepStrictEqual(known, schema))
    throw new Error(`${name}: two schemas have this name`);
  definitions.set(name, schema);
}

const versionOperation = documentOperation({
  path: '/version/',
  tag: 'version',
  id: 'getCodeVersion',
  description: 'Tell the version of the server.',
  definition: metaNames.versionInfo,
});

function* part(
  key: string,
  operations: readonly Operation[],
  known: Definitions,
): Generator<void, DocumentPart> {
  return { key, operations, definitions: yield* reachable(operations, known) };
}

function* reachable(
  operations: readonly Operation[],
  known: Definitions,
): Generator<void, Definitions> {
  const found = new Map<string, SchemaObject>();
  const waiting: string[] = [];
  for (const { body, responses } of operations) {
    for (const { schema } of [...(body ? [body] : []), ...responses]) {
      if (schema !== undefined) waiting.push(...referencesOf(schema));
    }
  }
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const schema = known.get(name);
    if (schema === undefined) throw new Error(`${name}: referred to, but not defined`);
    found.set(name, schema);
    waiting.push(...referencesOf(schema));
    yield;
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
