/** Smaller pictures of large or program-specific bodies. Pure. */
import { at, isArray, isObject, type Json, mapJson, sortedEntries } from './json.ts';
import type { DefinitionsView, DiscoveryView, View } from './row.ts';

export function applyView(body: Json, view: View | undefined): Json {
  if (typeof view === 'object') {
    return 'definitions' in view ? definitionsOf(body, view) : discoveryOf(body, view);
  }
  switch (view) {
    case undefined:
      return body;
    case 'shape':
      return mapJson(body, shapeOf);
    case 'openapi':
      return openapiOf(body);
    case 'checks':
      return checksOf(body);
    case 'paths':
      return pathsOf(body);
    case 'rules':
      return rulesOf(body);
    case 'conditions':
      return conditionsOf(body);
  }
}

/** Conditions by type, in any order of the controllers. */
function conditionsOf(body: Json): Json {
  const conditions = at(body, 'status', 'conditions');
  if (!isArray(conditions)) return body;
  const reported = conditions.map((one) => {
    const { type, lastTransitionTime: _, ...rest } = isObject(one) ? one : {};
    return [String(type), rest] as const;
  });
  return Object.fromEntries(reported.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Fields and their types: for values that belong to one build of one program. */
function shapeOf(value: Json): Json | undefined {
  if (isObject(value) || isArray(value)) return undefined;
  return value === null ? 'null' : `<${typeof value}>`;
}

/** Of an OpenAPI v3 document: the operations with what they take, and the schemas with their fields. */
function openapiOf(document: Json): Json {
  if (!isObject(document)) return document;
  return {
    openapi: document.openapi ?? null,
    paths: mapEntries(at(document, 'paths'), (path) => mapEntries(path, operationOf)),
    schemas: mapEntries(at(document, 'components', 'schemas'), schemaOf),
  };
}

/** Types, required fields, list types, merge keys, kinds: everything but descriptions and what makes no difference. */
function definitionsOf(document: Json, { definitions, paths }: DefinitionsView): Json {
  const schemas = at(document, 'definitions') ?? at(document, 'components', 'schemas') ?? null;
  const places = at(document, 'paths');
  const shown = isObject(places)
    ? sortedEntries(places).filter(([path]) => paths.includes(path))
    : [];
  return {
    definitions: Object.fromEntries(
      closureOf(schemas, definitions).map((name) => [
        name,
        withoutProse(at(schemas, name) ?? null),
      ]),
    ),
    paths: Object.fromEntries(
      shown.map(([path, item]) => [path, mapEntries(item, anyOperationOf)]),
    ),
  };
}

/** Names of definitions, and of what they refer to as long as that lies beside them; sorted. */
function closureOf(schemas: Json, roots: readonly string[]): string[] {
  const found = new Set<string>();
  const queue = [...roots];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const home = name.slice(0, name.lastIndexOf('.') + 1);
    const text = JSON.stringify(at(schemas, name) ?? null);
    for (const [, to = ''] of text.matchAll(/"#\/(?:definitions|components\/schemas)\/([^"]+)"/g)) {
      if (to.startsWith(home) && !to.slice(home.length).includes('.')) queue.push(to);
    }
  }
  return [...found].sort();
}

function anyOperationOf(operation: Json): Json {
  if (isArray(operation)) return namesOf(operation);
  if (!isObject(operation)) return operation;
  const types = (of: Json | undefined): Json =>
    (isArray(of) ? of : (keysOf(of) as readonly Json[])).filter(isText).toSorted();
  return {
    id: operation.operationId ?? null,
    action: operation['x-kubernetes-action'] ?? null,
    kind: operation['x-kubernetes-group-version-kind'] ?? null,
    parameters: namesOf(operation.parameters),
    consumes: types(operation.consumes ?? at(operation, 'requestBody', 'content')),
    produces: types(operation.produces),
    results: mapEntries(operation.responses, (response) => ({
      schema: withoutProse(at(response, 'schema') ?? null),
      content: types(at(response, 'content')),
    })),
  };
}

/** Other forms than text are what other rows are about. */
function isText(type: Json): boolean {
  return typeof type === 'string' && !/protobuf|cbor/.test(type);
}

/** A field may be called `description`: only a text is prose. */
function withoutProse(schema: Json): Json {
  if (isArray(schema)) return schema.map(withoutProse);
  if (!isObject(schema)) return schema;
  // A reference is wrapped only for what stands beside it, which may be a description.
  const wrapped = isArray(schema.allOf) && schema.allOf.length === 1 ? schema.allOf[0] : undefined;
  if (isObject(wrapped)) {
    const { allOf: _, ...beside } = schema;
    return withoutProse({ ...beside, ...wrapped });
  }
  return Object.fromEntries(
    sortedEntries(schema)
      .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
      .map(([key, value]) => [key, withoutProse(value)]),
  );
}

function operationOf(operation: Json): Json {
  if (isArray(operation)) return namesOf(operation);
  if (!isObject(operation)) return operation;
  return {
    action: operation['x-kubernetes-action'] ?? null,
    parameters: namesOf(operation.parameters),
    consumes: keysOf(at(operation, 'requestBody', 'content')),
    results: mapEntries(operation.responses, (response) => keysOf(at(response, 'content'))),
  };
}

function schemaOf(schema: Json): Json {
  const extensions = isObject(schema)
    ? sortedEntries(schema).filter(([key]) => key.startsWith('x-kubernetes-'))
    : [];
  return {
    ...Object.fromEntries(extensions),
    required: at(schema, 'required') ?? [],
    properties: keysOf(at(schema, 'properties')),
  };
}

function namesOf(parameters: Json | undefined): Json {
  if (!isArray(parameters)) return [];
  return parameters.map((item) => at(item, 'name') ?? at(item, '$ref') ?? null).sort();
}

function keysOf(value: Json | undefined): Json {
  return isObject(value) ? sortedEntries(value).map(([key]) => key) : [];
}

function mapEntries(value: Json | undefined, change: (item: Json) => Json): Json {
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(sortedEntries(value).map(([key, item]) => [key, change(item)]));
}

/** `?verbose` of a health check: which checks there are is the program's own matter. */
function checksOf(lines: Json): Json {
  if (!isArray(lines)) return lines;
  const masked = lines.map((line) =>
    typeof line === 'string' ? line.replace(/^\[([+-])\]\S+ /, '[$1]<check> ') : line,
  );
  return [...new Set(masked)];
}

/** The root document: of all paths, those that every server of this kind has. */
function pathsOf(document: Json): Json {
  const paths = at(document, 'paths');
  if (!isArray(paths)) return document;
  const own = (path: Json): boolean =>
    typeof path === 'string' && /^\/(apis|openapi|version)/.test(path);
  return { paths: paths.filter(own) };
}

/** Of a review of rules: the rules in one order; the original goes through bindings in the order of a Go map. */
function rulesOf(review: Json): Json {
  return mapJson(review, (value, key) => {
    if (!isArray(value) || (key !== 'resourceRules' && key !== 'nonResourceRules'))
      return undefined;
    return [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  });
}

/** A document of all groups, of one, or of the resources of one, in the old form or the aggregated one. */
function discoveryOf(document: Json, view: DiscoveryView): Json {
  const known = (name: Json | undefined): boolean =>
    typeof name === 'string' && view.resources.includes(name.split('/')[0] ?? '');
  return mapJson(document, (value, key) => {
    if (!isArray(value)) return undefined;
    if (key === 'groups') return value.filter((group) => isKnownGroup(at(group, 'name'), view));
    if (key === 'items') {
      return value
        .filter((group) => isKnownGroup(at(group, 'metadata', 'name'), view))
        .map((group) => discoveryOf(group, view));
    }
    if (key !== 'resources') return undefined;
    return value.filter((resource) => known(at(resource, 'name') ?? at(resource, 'resource')));
  });
}

/** The name of the core group is empty, and in the aggregated form absent. */
function isKnownGroup(name: Json | undefined, { groups }: DiscoveryView): boolean {
  return groups.includes(typeof name === 'string' ? name : '');
}
