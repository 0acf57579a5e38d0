/** The content of the documents, independent of the version of OpenAPI. */
import { isDeepStrictEqual } from 'node:util';
import { formatGroupVersion, type GroupVersion } from '@tributary/apimachinery';
import type { ApiDefinition } from '../definition/api.ts';
import {
  groupVersionPath,
  type ServedVersion,
  servedVersions,
} from '../definition/served-versions.ts';
import { mapSubschemas, referencesOf, type SchemaObject } from '../schema/openapi-schema.ts';
import { actionDefinitions } from './action-definition.ts';
import { groupVersionTag, groupVersionWords } from './definition-name.ts';
import { kindDefinitions } from './kind-definitions.ts';
import { metaDefinitions, metaNames } from './meta-definitions.ts';
import type { Operation } from './operation.ts';
import { documentOperation, resourceOperations } from './operations.ts';
import { opaqueDefinitions, reasonOf, requireShallow, type Undescribed } from './undescribed.ts';

export type Definitions = ReadonlyMap<string, SchemaObject>;

/** One document of version 3; the single document of version 2 has all of them. */
export interface DocumentPart {
  /** The path below `/openapi/v3`. */
  readonly key: string;
  readonly operations: readonly Operation[];
  /** Definitions that the operations refer to, directly or indirectly. */
  readonly definitions: Definitions;
  readonly undescribed: Undescribed;
}

export interface PartOptions {
  /** Media types of the supported patches; without any, no patch is described. */
  readonly patchTypes: readonly string[];
}

/** All parts in order. */
export function documentParts(
  apis: readonly ApiDefinition[],
  options: PartOptions,
): DocumentPart[] {
  return [...commonParts(apis), ...apis.flatMap((api) => atOnce(groupParts(api, options)))];
}

/** Parts that belong to no group. */
export function commonParts(apis: readonly ApiDefinition[]): DocumentPart[] {
  const shared = metaDefinitions([]);
  return [...rootParts(apis, shared), atOnce(part('version', [versionOperation], shared))];
}

/** The parts of one group; each `yield` ends a step, because all of them take a while. */
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

/** All parts as one; types that belong to every group version list all of them. */
export function wholeDocument(
  apis: readonly ApiDefinition[],
  parts: readonly DocumentPart[],
): DocumentPart {
  const groupVersions = apis.flatMap(({ group, versions }) =>
    versions.map((version) => ({ group, version })),
  );
  groupVersions.sort((a, b) => (formatGroupVersion(a) < formatGroupVersion(b) ? -1 : 1));
  const shared = metaDefinitions(groupVersions);
  const { definitions, operations, undescribed } = united(parts, shared);
  for (const name of definitions.keys()) {
    const schema = shared.get(name);
    if (schema !== undefined) definitions.set(name, schema);
  }
  return { key: '', operations, definitions, undescribed };
}

/** Joins all parts. Definitions of two groups may have the same name; as upstream, the later one is renamed. */
function united(
  parts: readonly DocumentPart[],
  shared: Definitions,
): Omit<DocumentPart, 'key' | 'definitions'> & { definitions: Map<string, SchemaObject> } {
  const definitions = new Map<string, SchemaObject>();
  const undescribed = new Map<string, (reason: string) => void>();
  const operations: Operation[] = [];
  for (const part of parts) {
    const { names, part: added } = withoutConflicts(part, definitions, shared);
    for (const [name, schema] of added.definitions) definitions.set(name, schema);
    for (const [name, report] of part.undescribed) undescribed.set(names.get(name) ?? name, report);
    operations.push(...added.operations);
  }
  return { definitions, operations, undescribed };
}

function withoutConflicts(
  part: DocumentPart,
  known: Definitions,
  shared: Definitions,
): { readonly names: ReadonlyMap<string, string>; readonly part: DocumentPart } {
  const names = new Map<string, string>();
  for (const [name, schema] of part.definitions) {
    const other = known.get(name);
    if (other === undefined || other === schema || shared.has(name)) continue;
    if (isDeepStrictEqual(other, schema)) continue;
    names.set(
      name,
      freeName(name, (one) => known.has(one) || part.definitions.has(one)),
    );
  }
  return { names, part: names.size === 0 ? part : renamedPart(part, names) };
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number += 1) {
    const candidate = `${name}_v${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

function renamedPart(part: DocumentPart, names: ReadonlyMap<string, string>): DocumentPart {
  const rename = (schema: SchemaObject): SchemaObject => {
    const inner = mapSubschemas(schema, rename);
    const name = inner.$ref === undefined ? undefined : names.get(inner.$ref);
    return name === undefined ? inner : { ...inner, $ref: name };
  };
  const renameIn = <Described extends { readonly schema: SchemaObject | undefined }>(
    described: Described,
  ): Described => ({ ...described, schema: described.schema && rename(described.schema) });
  return {
    ...part,
    definitions: new Map(
      [...part.definitions].map(([name, schema]) => [names.get(name) ?? name, rename(schema)]),
    ),
    operations: part.operations.map((operation) => ({
      ...operation,
      ...(operation.body && { body: renameIn(operation.body) }),
      responses: operation.responses.map(renameIn),
    })),
  };
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
  const undescribed = new Map<string, (reason: string) => void>();
  for (const entry of servedVersions(api, version)) {
    const own = defineEntry(definitions, entry);
    if (own === undefined) continue;
    const report = reporter(entry);
    if (report !== undefined) for (const name of own) undescribed.set(name, report);
    operations.push(...resourceOperations(entry, path, options.patchTypes));
    yield;
  }
  return yield* part(path.slice(1), operations, definitions, undescribed);
}

/**
 * Adds the definitions of a resource, and returns their names. A user's schema that cannot be described is replaced by
 * one without fields; a resource whose own name is taken is omitted: undefined.
 */
function defineEntry(
  definitions: Map<string, SchemaObject>,
  entry: ServedVersion,
): readonly string[] | undefined {
  const report = reporter(entry);
  const described = () => [...kindDefinitions(entry), ...actionDefinitions(entry)];
  if (report === undefined) return defineAll(definitions, described());
  try {
    const own = described();
    requireShallow(own);
    return defineAll(definitions, own);
  } catch (error) {
    report(reasonOf(error));
  }
  try {
    return defineAll(definitions, [...opaqueDefinitions(entry)]);
  } catch {
    return undefined; // reported already
  }
}

function reporter({ resource, kind }: ServedVersion): ((reason: string) => void) | undefined {
  const { onUndescribed } = resource;
  const { version } = kind;
  return onUndescribed && ((reason) => onUndescribed({ version, reason }));
}

/**
 * All or none. An author's definition may have the name of another kind, and must not replace it. Actions of several
 * resources may share a kind.
 */
function defineAll(
  definitions: Map<string, SchemaObject>,
  added: readonly (readonly [string, SchemaObject])[],
): string[] {
  const own = new Map<string, SchemaObject>();
  for (const [name, schema] of added) {
    const known = own.get(name) ?? definitions.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`${name}: two schemas have the same name`);
    own.set(name, schema);
  }
  for (const [name, schema] of own) definitions.set(name, schema);
  return [...own.keys()];
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
  undescribed: Undescribed = new Map(),
): Generator<void, DocumentPart> {
  return { key, operations, definitions: yield* reachable(operations, known), undescribed };
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
