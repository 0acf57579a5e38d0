/** OpenAPI 3.0: a document per group version, and an index of them. */
import { stringifyJson } from '@tributary/apimachinery';
import { ANYTHING, type SchemaObject } from '../schema/openapi-schema.ts';
import type { DocumentPart } from './document-parts.ts';
import { addMembers } from './json-chunks.ts';
import type { Body, Operation, Response } from './operation.ts';
import type { Parameter } from './parameters.ts';
import { type DocumentInfo, type PathForms, pathItems, responseTexts } from './path-items.ts';
import { schemaV3 } from './schema-forms.ts';
import { type SecurityDefinitions, securityDefinitions, unauthorized } from './security.ts';
import { writesDefinitions } from './undescribed.ts';

type Content = Readonly<Record<string, { readonly schema: SchemaObject }>>;

interface ParameterV3 {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: SchemaObject;
}

export interface OperationV3 {
  readonly tags: readonly string[];
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly ParameterV3[];
  readonly requestBody?: { readonly content: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, { description: string; content?: Content }>>;
  readonly [extension: `x-${string}`]: unknown;
}

export type PathItemV3 = Readonly<Record<string, OperationV3 | readonly ParameterV3[]>>;

interface DocumentV3 {
  readonly openapi: '3.0.0';
  readonly info: DocumentInfo;
  readonly paths: Readonly<Record<string, PathItemV3>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly securitySchemes?: SecurityDefinitions;
  };
}

export interface AboutV3 {
  readonly info: DocumentInfo;
  /** Every document describes authentication; those of upstream's other servers only do in version 2. */
  readonly isControlPlane: boolean;
}

export function documentV3(part: DocumentPart, about: AboutV3): DocumentV3 {
  const { info, isControlPlane } = about;
  return {
    openapi: '3.0.0',
    info,
    paths: Object.fromEntries(pathItems(part.operations, formsV3(about))),
    components: {
      schemas: Object.fromEntries(
        [...part.definitions].map(([name, schema]) => [name, schemaV3(schema)]),
      ),
      ...(isControlPlane && { securitySchemes: securityDefinitions }),
    },
  };
}

/** The document as chunks of JSON, built in steps, because it may be large and requests cannot wait for it. */
export function* textOfV3(part: DocumentPart, about: AboutV3): Generator<void, string[]> {
  const { info, isControlPlane } = about;
  const pieces = [`{"openapi":"3.0.0","info":${JSON.stringify(info)},"paths":{`];
  yield* addMembers(pieces, pathItems(part.operations, formsV3(about)), (item) =>
    stringifyJson(item),
  );
  pieces.push('},"components":{"schemas":{');
  yield* addMembers(
    pieces,
    part.definitions,
    writesDefinitions(part, (schema) => stringifyJson(schemaV3(schema))),
  );
  pieces.push(
    isControlPlane ? `},"securitySchemes":${JSON.stringify(securityDefinitions)}}}` : '}}}',
  );
  return pieces;
}

function formsV3({ isControlPlane }: AboutV3): PathForms<OperationV3, ParameterV3> {
  const refusals = isControlPlane ? unauthorized : {};
  return { operation: (one) => operationV3(one, refusals), parameter: parameterV3 };
}

/** The index, from each document's key and hash. */
export function indexV3(hashes: ReadonlyMap<string, string>): object {
  return {
    paths: Object.fromEntries(
      [...hashes].map(([key, hash]) => [key, { serverRelativeURL: hashedUrl(key, hash) }]),
    ),
  };
}

/** The URL of an immutable document, which contains its hash. */
export function hashedUrl(key: string, hash: string): string {
  return `/openapi/v3/${key}?hash=${hash}`;
}

function operationV3(
  operation: Operation,
  refusals: Readonly<Record<string, { readonly description: string }>>,
): OperationV3 {
  const { action, kind, body, parameters } = operation;
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterV3) }),
    ...(body && { requestBody: bodyV3(body, operation.consumes) }),
    responses: {
      ...Object.fromEntries(
        operation.responses.map((one) => [one.code, responseV3(one, operation.produces)]),
      ),
      ...refusals,
    },
    ...(action && { 'x-kubernetes-action': action }),
    ...(kind && { 'x-kubernetes-group-version-kind': kind }),
  };
}

function parameterV3({ name, in: place, type, description }: Parameter): ParameterV3 {
  const required = place === 'path' && { required: true };
  return { name, in: place, description, ...required, schema: { type } };
}

function bodyV3(
  { schema, required }: Body,
  types: readonly string[],
): { content: Content; required?: boolean } {
  return { content: contentOf(types, schema), ...(required && { required }) };
}

function responseV3(
  { code, schema }: Response,
  types: readonly string[],
): { description: string; content?: Content } {
  return { description: responseTexts[code], content: contentOf(types, schema) };
}

function contentOf(types: readonly string[], described: SchemaObject | undefined): Content {
  const schema = schemaV3(described ?? ANYTHING);
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}
