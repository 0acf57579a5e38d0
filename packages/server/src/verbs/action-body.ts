import {
  badRequest,
  decodeJson,
  type FieldError,
  fieldError,
  formatGroupVersion,
  type GroupVersionKind,
  invalid,
  JsonError,
  type KubeObject,
  parseCreateOptions,
  root,
} from '@tributary/apimachinery';
import { storageView } from '../conversion/version-view.ts';
import { defineResource } from '../definition/resource.ts';
import type { ActionSubresource } from '../definition/subresource.ts';
import { version } from '../definition/version.ts';
import { BodyDecoder } from '../registry/body-decoder.ts';
import type { KnownKinds } from '../registry/known-kinds.ts';
import { servedOwnership } from '../registry/served-ownership.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import { requireBodyType } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { schemaOfFields } from '../schema/object-schema.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';
import { schemaValidator } from '../validation/schema-validation.ts';
import { managerOf } from './write-context.ts';

/** The decoded and validated body of an action, with its query parameters. */
export type ActionBody = (request: ApiRequest) => Promise<{
  readonly body: Record<string, unknown>;
  readonly dryRun: boolean;
  readonly manager: string;
}>;

export function actionBody(
  served: StoredResource,
  name: string,
  action: ActionSubresource,
  dependencies: { readonly others: KnownKinds; readonly nowMs: () => number },
): ActionBody {
  const { kind = served.kind, body: schema, typed } = action;
  if (typed !== undefined) return typedBody({ kind, name, typed }, action, dependencies);
  const validate = schema && bodyValidator(schema);
  return async (request) => {
    requireBodyType(request.headers.get('content-type'));
    const sent = await request.body();
    const { dryRun, fieldManager } = parseCreateOptions(request.query);
    const body = bodyOf(sent);
    const errors = validate?.(body) ?? [];
    if (errors.length > 0) throw invalid(kind, request.info.name, [...errors]);
    return { body, dryRun, manager: managerOf(request, fieldManager) };
  };
}

/** A body of a kind of its own is decoded like any created object, with field ownership of the client. */
function typedBody(
  { kind, name, typed }: { kind: GroupVersionKind; name: string; typed: TypedKind },
  { applyDefaults = () => {}, alsoIn = [] }: ActionSubresource,
  { others, nowMs }: { readonly others: KnownKinds; readonly nowMs: () => number },
): ActionBody {
  const definition = defineResource({
    kind: kind.kind,
    plural: name,
    scope: 'Namespaced',
    versions: { [kind.version]: version({ typed: typed as TypedKind<KubeObject> }) },
    storageVersion: kind.version,
    conversions: {},
  });
  const own = definition.versions.get(kind.version);
  if (own === undefined) throw new Error(`${kind.kind} has no version ${kind.version}`);
  const decode = new BodyDecoder({
    kind,
    schema: own.schema,
    namespaced: true,
    others,
    alsoIn,
    applyDefaults,
  });
  const described = { kind, version: own, view: storageView, definition };
  const ownership = servedOwnership(
    { ...described, apiVersion: formatGroupVersion(kind) },
    new Map(),
    { subresource: name, nowMs },
  );
  return async (request) => {
    decode.requireType(request);
    const sent = await request.body();
    const { dryRun, fieldManager, fieldValidation } = parseCreateOptions(request.query);
    const object = await decode.forCreate(sent, request, fieldValidation);
    const manager = managerOf(request, fieldManager);
    const body = await ownership.track(undefined, object, manager);
    return { body, dryRun, manager };
  };
}

/** An action without a body receives an empty object. */
function bodyOf(sent: Uint8Array): Record<string, unknown> {
  if (sent.length === 0) return {};
  const value = parseBody(sent);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('the body of the request must be an object');
  }
  return value as Record<string, unknown>;
}

function parseBody(sent: Uint8Array): unknown {
  try {
    return decodeJson(sent).value;
  } catch (error) {
    throw error instanceof JsonError ? badRequest(error.message) : error;
  }
}

function bodyValidator(
  schema: JsonSchema,
): (body: Record<string, unknown>) => readonly FieldError[] {
  const fields = new Map(Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>));
  const required = (schema.required ?? []) as readonly string[];
  const validate = schemaValidator(schemaOfFields(fields, ''));
  return (body) => [
    ...required
      .filter((name) => !Object.hasOwn(body, name))
      .map((name) => fieldError.required(root(name), '')),
    // The validator reads only declared fields; the body need not be a complete object.
    ...validate(body as unknown as KubeObject),
  ];
}
