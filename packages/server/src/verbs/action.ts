import {
  badRequest,
  cloneJson,
  decodeJson,
  type FieldError,
  fieldError,
  formatGroupVersion,
  type GroupKind,
  invalid,
  JsonError,
  type KubeObject,
  notFound,
  parseCreateOptions,
  root,
  successStatus,
} from '@tributary/apimachinery';
import type { ActionSubresource } from '../definition/subresource.ts';
import { requireBodyType } from '../negotiation.ts';
import type { ApiResponse } from '../pipeline.ts';
import type { ReadableResources } from '../registry/reads.ts';
import { negotiateOutput } from '../representation/output.ts';
import { schemaValidator } from '../schema/schema-validation.ts';
import { type JsonSchema, schemaOfFields } from '../schema.ts';
import type { Endpoint, StoredResource } from '../served-resource.ts';
import { objectName, objectPath } from './object-path.ts';
import { managerOf, writeContext } from './write-context.ts';

/** POST to an object: something is done with it. */
export function actionEndpoint(
  served: StoredResource,
  { kind = served.kind, body: schema, run }: ActionSubresource,
  resources: ReadableResources,
): Endpoint {
  const validate = schema && bodyValidator(schema);
  return async (request) => {
    const path = objectPath(request.info, served);
    negotiateOutput(request, 'object');
    requireBodyType(request.headers.get('content-type'));
    const sent = await request.body();
    const { dryRun, fieldManager } = parseCreateOptions(request.query);
    const body = bodyOf(sent);
    const errors = validate?.(body) ?? [];
    if (errors.length > 0) throw invalid(kind satisfies GroupKind, request.info.name, [...errors]);
    const { signal } = request.cancellation;
    const found = await served.cache.get(path, { kind: 'latest' }, { signal });
    if (found === undefined) throw notFound(served.resource, request.info.name);
    const context = writeContext(request, dryRun);
    const manager = managerOf(request, fieldManager);
    const answer = await run({
      object: found.object(),
      body,
      user: request.user,
      dryRun,
      signal,
      read: resources.reader(signal),
      update: async (change) => {
        const name = objectName(request.info, served);
        const changed = (live: KubeObject) => {
          const next = change(cloneJson(live) as KubeObject);
          served.requireValid(next);
          return served.ownership.track(live, next, manager);
        };
        return (await served.store.update(name, changed, context)).object();
      },
    });
    return created(answer, served);
  };
}

function created(answer: object | undefined, served: StoredResource): ApiResponse {
  if (answer === undefined) {
    return { kind: 'object', code: 201, object: { ...successStatus({}), code: 201 } };
  }
  // The object itself is answered in the words of the version that was asked.
  const object = isStored(answer, served) ? served.view.fromStorage(answer) : answer;
  return { kind: 'object', code: 201, object };
}

function isStored(answer: object, { kind, definition }: StoredResource): answer is KubeObject {
  const { apiVersion, kind: answered } = answer as Partial<KubeObject>;
  const stored = formatGroupVersion({ group: kind.group, version: definition.storageVersion });
  return answered === kind.kind && apiVersion === stored;
}

/** An action without a body is sent an empty object. */
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
    // The validator looks at the declared fields only; a body need not be a whole object.
    ...validate(body as unknown as KubeObject),
  ];
}
