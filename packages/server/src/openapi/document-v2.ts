/** OpenAPI 2.0: one document for all groups. */
import { stringifyJson } from '@tributary/apimachinery';
import type { SchemaObject } from '../schema/openapi-schema.ts';
import type { DocumentPart } from './document-parts.ts';
import { addMembers, joined } from './json-chunks.ts';
import type { Body, Operation, Response } from './operation.ts';
import type { Parameter } from './parameters.ts';
import { type DocumentInfo, type PathForms, pathItems, responseTexts } from './path-items.ts';
import type { DocumentV2, OperationV2 } from './protobuf/document-v2.ts';
import { MessageV2 } from './protobuf/document-v2.ts';
import { definitionV2, schemaV2 } from './schema-forms.ts';
import { securityDefinitions, unauthorized } from './security.ts';
import type { ParameterV2 } from './shared-parameters.ts';
import {
  type ParameterReference,
  type SharedParameters,
  sharedParameters,
} from './shared-parameters.ts';
import { writesDefinitions } from './undescribed.ts';

export function documentV2(whole: DocumentPart, info: DocumentInfo): DocumentV2 {
  const shared = sharedParameters();
  return {
    swagger: '2.0',
    info,
    paths: Object.fromEntries(pathItems(whole.operations, formsV2(shared))),
    definitions: Object.fromEntries(
      [...whole.definitions].map(([name, schema]) => [name, definitionV2(name, schema)]),
    ),
    parameters: shared.all(),
    securityDefinitions,
    security: [{ BearerToken: [] }],
  };
}

/**
 * The document as chunks of JSON and as protobuf, built in steps, because it is large and requests cannot wait for it.
 */
export function* formsOfV2(
  whole: DocumentPart,
  info: DocumentInfo,
): Generator<void, { readonly json: readonly string[]; readonly message: Uint8Array }> {
  const shared = sharedParameters();
  const swagger = '2.0';
  const message = new MessageV2({ swagger, info });
  const json = [`{"swagger":"${swagger}","info":${JSON.stringify(info)},"paths":{`];
  yield* addMembers(json, pathItems(whole.operations, formsV2(shared)), (item, path) => {
    message.addPath(path, item);
    return stringifyJson(item);
  });
  json.push('},"definitions":{');
  const write = writesDefinitions(whole, (schema, name) => {
    const definition = definitionV2(name, schema);
    const text = stringifyJson(definition);
    message.addDefinition(name, definition);
    return text;
  });
  yield* addMembers(json, whole.definitions, write);
  const rest = { parameters: shared.all(), securityDefinitions, security: [{ BearerToken: [] }] };
  json.push('},', JSON.stringify(rest).slice(1));
  return { json, message: yield* joined(message.finish(rest)) };
}

function formsV2(
  shared: SharedParameters,
): PathForms<OperationV2, ParameterV2 | ParameterReference> {
  return {
    operation: (operation) => operationV2(operation, shared),
    parameter: (parameter) => shared.place(parameterV2(parameter)),
  };
}

function operationV2(operation: Operation, shared: SharedParameters): OperationV2 {
  const { action, kind, body } = operation;
  const own = [...(body ? [bodyV2(body)] : []), ...operation.parameters.map(parameterV2)];
  const parameters = own.map(shared.place);
  return {
    description: operation.description,
    consumes: operation.consumes,
    produces: operation.produces,
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.id,
    ...(parameters.length > 0 && { parameters }),
    responses: {
      ...Object.fromEntries(operation.responses.map((one) => [one.code, responseV2(one)])),
      ...unauthorized,
    },
    ...(action && { 'x-kubernetes-action': action }),
    ...(kind && { 'x-kubernetes-group-version-kind': kind }),
  };
}

function parameterV2({ name, in: place, type, description }: Parameter): ParameterV2 {
  return { name, in: place, description, ...(place === 'path' && { required: true }), type };
}

function bodyV2({ schema = {}, required }: Body): ParameterV2 {
  return { name: 'body', in: 'body', ...(required && { required }), schema: schemaV2(schema) };
}

function responseV2({ code, schema }: Response): { description: string; schema?: SchemaObject } {
  return { description: responseTexts[code], ...(schema && { schema: schemaV2(schema) }) };
}
