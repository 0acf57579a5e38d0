/** The field numbers of `openapi.v2.Document` of gnostic. */

import type { SchemaObject } from '../../schema/openapi-schema.ts';
import type { DocumentInfo } from '../path-items.ts';
import type { SecurityDefinitions } from '../security.ts';
import type { ParameterReference, ParameterV2 } from '../shared-parameters.ts';
import {
  any,
  choice,
  delimited,
  encodeMessage,
  flag,
  type MessageForm,
  message,
  named,
  repeated,
  text,
  wrapped,
} from './codec.ts';
import { header, parameter, parameterItem, reference } from './parameter-v2.ts';
import { externalDocs, responseSchema, schema } from './schema-v2.ts';
import { securityDefinition } from './security-v2.ts';

/** For local documents, in which an unrepresentable value is a bug. */
export function encodeDocumentV2(document: DocumentV2): Uint8Array {
  return encodeMessage(documentForm, document, (problem) => {
    throw new TypeError(problem);
  });
}

/** For documents of other servers, in which unrepresentable values are omitted. */
export function encodeForeignDocumentV2(document: object): Uint8Array {
  return encodeMessage(documentForm, document, () => undefined);
}

/** A local document as a message that is encoded part by part. */
export class MessageV2 {
  readonly #head: Uint8Array;
  readonly #paths: Uint8Array[] = [];
  readonly #definitions: Uint8Array[] = [];

  constructor(head: Pick<DocumentV2, 'swagger' | 'info'>) {
    this.#head = encodeMessage(documentForm, head, refuse);
  }

  addPath(path: string, item: object): void {
    this.#paths.push(encodeMessage(pathsForm, { [path]: item }, refuse));
  }

  addDefinition(name: string, definition: object): void {
    this.#definitions.push(encodeMessage(definitionsForm, { [name]: definition }, refuse));
  }

  /** The encoded chunks in order. */
  finish(rest: Pick<DocumentV2, 'parameters' | 'securityDefinitions' | 'security'>): Uint8Array[] {
    return [
      this.#head,
      ...delimited(PATHS, this.#paths),
      ...delimited(DEFINITIONS, this.#definitions),
      encodeMessage(documentForm, rest, refuse),
    ];
  }
}

const PATHS = 8;
const DEFINITIONS = 9;

function refuse(problem: string): never {
  throw new TypeError(problem);
}

const response = message(() => ({
  fields: {
    description: [1, text],
    schema: [2, responseSchema],
    headers: [3, named(header)],
    examples: [4, named(any)],
  },
  extensions: 5,
}));

const responseValue = choice((value) =>
  typeof value === 'object' && value !== null && '$ref' in value
    ? wrapped(2, reference)
    : wrapped(1, response),
);

/** Responses by code, in a list beside one of extensions. */
const responses = message(() => ({ fields: {}, extensions: 2, others: [1, responseValue] }));

const security = repeated(named(wrapped(1, repeated(text))));

const operation = message(() => ({
  fields: {
    tags: [1, repeated(text)],
    summary: [2, text],
    description: [3, text],
    externalDocs: [4, externalDocs],
    operationId: [5, text],
    produces: [6, repeated(text)],
    consumes: [7, repeated(text)],
    parameters: [8, repeated(parameterItem)],
    responses: [9, responses],
    schemes: [10, repeated(text)],
    deprecated: [11, flag],
    security: [12, security],
  },
  extensions: 13,
}));

const pathItem = message(() => ({
  fields: {
    $ref: [1, text],
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, repeated(parameterItem)],
  },
  extensions: 10,
}));

const pathsForm: MessageForm = { fields: {}, extensions: 1, others: [2, pathItem] };
const paths = message(() => pathsForm);
const definitionsForm: MessageForm = { fields: {}, others: [1, schema] };

const contact = message(() => ({
  fields: { name: [1, text], url: [2, text], email: [3, text] },
  extensions: 4,
}));

const license = message(() => ({ fields: { name: [1, text], url: [2, text] }, extensions: 3 }));

const info = message(() => ({
  fields: {
    title: [1, text],
    version: [2, text],
    description: [3, text],
    termsOfService: [4, text],
    contact: [5, contact],
    license: [6, license],
  },
  extensions: 7,
}));

const tag = message(() => ({
  fields: { name: [1, text], description: [2, text], externalDocs: [3, externalDocs] },
  extensions: 4,
}));

const documentForm: MessageForm = {
  fields: {
    swagger: [1, text],
    info: [2, info],
    host: [3, text],
    basePath: [4, text],
    schemes: [5, repeated(text)],
    consumes: [6, repeated(text)],
    produces: [7, repeated(text)],
    paths: [PATHS, paths],
    definitions: [DEFINITIONS, message(() => definitionsForm)],
    parameters: [10, named(parameter)],
    responses: [11, named(response)],
    security: [12, security],
    securityDefinitions: [13, named(securityDefinition)],
    tags: [14, repeated(tag)],
    externalDocs: [15, externalDocs],
  },
  extensions: 16,
};

export interface OperationV2 {
  readonly description: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly string[];
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly (ParameterV2 | ParameterReference)[];
  readonly responses: Readonly<Record<string, { description: string; schema?: SchemaObject }>>;
  readonly [extension: `x-${string}`]: unknown;
}

type PathItemV2 = Readonly<
  Record<string, OperationV2 | readonly (ParameterV2 | ParameterReference)[]>
>;

export interface DocumentV2 {
  readonly swagger: '2.0';
  readonly info: DocumentInfo;
  readonly paths: Readonly<Record<string, PathItemV2>>;
  readonly definitions: Readonly<Record<string, SchemaObject>>;
  readonly parameters: Readonly<Record<string, ParameterV2>>;
  readonly securityDefinitions: SecurityDefinitions;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}
