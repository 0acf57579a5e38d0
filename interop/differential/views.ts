/** Smaller pictures of large or program-specific bodies. Pure. */
import { at, isArray, isObject, type Json, mapJson, sortedEntries } from './json.ts';
import type { View } from './row.ts';

export function applyView(body: Json, view: View | undefined): Json {
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
  }
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

function operationOf(operation: Json): Json {
  if (isArray(operation)) return namesOf(operation);
  if (!isObject(operation)) return operation;
  return {
    action: operation['x-kubernetes-action'] ?? null,
    parameters: namesOf(operation.parameters),
    consumes: keysOf(at(operation, 'requestBody', 'content')),
    answers: mapEntries(operation.responses, (response) => keysOf(at(response, 'content'))),
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
