import {
  badRequest,
  formatGroupVersion,
  goQuote,
  type KubeObject,
  notFound,
  parsePatchOptions,
  parseUpdateOptions,
  StatusError,
  stringifyJson,
} from '@tributary/apimachinery';
import { convertItem } from '../conversion/convert-objects.ts';
import { readableOf } from '../conversion/readable.ts';
import { storageView } from '../conversion/version-view.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import { scaleKind } from '../definition/served-versions.ts';
import type { ScalePaths } from '../definition/subresource.ts';
import { version } from '../definition/version.ts';
import { BodyDecoder } from '../registry/body-decoder.ts';
import { storedVersion } from '../registry/definition-strategy.ts';
import { type ScaleOwnership, scaleOwnership } from '../registry/scale-ownership.ts';
import type { Preconditions } from '../registry/write-options.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput, type Output } from '../representation/output.ts';
import type {
  Endpoint,
  ServedResource,
  StoredResource,
} from '../representation/served-resource.ts';
import { requireBodyType } from '../request/negotiation.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { applySchemaDefaults } from '../schema/apply-defaults.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { schemaOfFields } from '../schema/object-schema.ts';
import { readConfiguration, reportDuplicates } from './apply.ts';
import { objectName, objectPath } from './object-path.ts';
import { readPatchRequest } from './patch.ts';
import { isApply } from './patch-documents.ts';
import { partialScaleOf, type Scale, scaled, scaleOf } from './scale-object.ts';
import { managerOf, writeContext } from './write-context.ts';

const scaleFields = new Map<string, JsonSchema>([
  ['spec', { type: 'object', properties: { replicas: { type: 'integer', format: 'int32' } } }],
  [
    'status',
    {
      type: 'object',
      properties: {
        replicas: { type: 'integer', format: 'int32' },
        selector: { type: 'string' },
      },
    },
  ],
]);

/** Computes the next Scale from the present one. */
interface ScaleWrite {
  readonly change: (live: KubeObject) => KubeObject;
  readonly dryRun: boolean;
  readonly preconditions?: Preconditions;
}

/** Undecodable Scales of custom resources have one error, whatever the cause. */
async function readScale(
  read: () => Promise<KubeObject>,
  { custom, plural }: ResourceDefinition,
): Promise<Scale> {
  try {
    return (await read()) as Scale;
  } catch (error) {
    const isUnreadable = error instanceof StatusError && [400, 422].includes(error.code);
    if (!custom || !isUnreadable) throw error;
    throw badRequest(`no kind is registered for the type v1.Scale in scheme ${goQuote(plural)}`);
  }
}

/** The methods of a resource's `scale`. */
export function scaleMethods(
  served: StoredResource,
  paths: ScalePaths,
  nowMs: () => number,
): Map<string, Endpoint> {
  const scale = new ScaleEndpoint(served, paths, nowMs);
  return new Map<string, Endpoint>([
    ['GET', (request) => scale.get(request)],
    ['PUT', (request) => scale.put(request)],
    ['PATCH', (request) => (isApply(request) ? scale.apply(request) : scale.patch(request))],
  ]);
}

class ScaleEndpoint {
  readonly #served: StoredResource;
  readonly #shown: ServedResource;
  readonly #paths: ScalePaths;
  readonly #schema = schemaOfFields(scaleFields, '');
  readonly #ownership: ScaleOwnership;
  readonly #decode: BodyDecoder;

  constructor(served: StoredResource, paths: ScalePaths, nowMs: () => number) {
    const { kind, definition, namespaced } = served;
    const { group, version } = kind;
    this.#served = served;
    this.#shown = shownScale(served);
    this.#paths = paths;
    const fields = scaleFields;
    this.#ownership = scaleOwnership({ group, definition, version, paths, fields, nowMs });
    const schema = this.#schema;
    this.#decode = new BodyDecoder({
      kind: scaleKind,
      schema,
      namespaced,
      applyDefaults: () => {},
    });
  }

  async get(request: ApiRequest): Promise<ApiResponse> {
    const { cache, resource } = this.#served;
    const path = objectPath(request.info, this.#served);
    const output = negotiateOutput(request);
    const found = await cache.get(path, { kind: 'latest' }, request.cancellation);
    if (found === undefined) throw notFound(resource, request.info.name);
    const converted = await convertItem(this.#served, found, request.cancellation);
    return this.#respond(request, output, scaleOf(converted.object(), this.#paths));
  }

  async put(request: ApiRequest): Promise<ApiResponse> {
    objectPath(request.info, this.#served);
    const output = negotiateOutput(request);
    const body = await request.body();
    const { dryRun, fieldManager, fieldValidation } = parseUpdateOptions(request.query);
    requireBodyType(request.headers.get('content-type'));
    const read = () => this.#decode.forUpdate(body, request, fieldValidation);
    const sent = await readScale(read, this.#served.definition);
    const { uid } = sent.metadata;
    // An unset number of a whole Scale is 0.
    const wanted: Scale = { ...sent, spec: { replicas: 0, ...sent.spec } };
    const manager = managerOf(request, fieldManager);
    return this.#write(request, output, {
      change: (live) => this.#ownership.track(live, wanted, manager),
      dryRun,
      ...(uid && { preconditions: { uid } }),
    });
  }

  async patch(request: ApiRequest): Promise<ApiResponse> {
    objectPath(request.info, this.#served);
    const output = negotiateOutput(request);
    const read = await readPatchRequest(request, this.#schema);
    const { patched, manager, dryRun, fieldValidation } = read;
    const change = (live: KubeObject) => {
      const next = this.#decode.forPatch(patched(live), request, fieldValidation);
      return this.#ownership.track(live, next, manager);
    };
    return this.#write(request, output, { change, dryRun });
  }

  async apply(request: ApiRequest): Promise<ApiResponse> {
    objectPath(request.info, this.#served);
    const output = negotiateOutput(request);
    const body = await request.body();
    const options = parsePatchOptions(request.query, { isApply: true });
    const { config, duplicates } = await readConfiguration(body, request, this.#served);
    const { fieldManager: manager, force, dryRun, fieldValidation } = options;
    const change = (live: KubeObject) => {
      const applied = this.#ownership.apply(live, config, { manager, force });
      reportDuplicates(duplicates, fieldValidation, request);
      return this.#decode.forApply(applied, request);
    };
    return this.#write(request, output, { change, dryRun });
  }

  async #write(
    request: ApiRequest,
    output: Output,
    { change, dryRun, preconditions }: ScaleWrite,
  ): Promise<ApiResponse> {
    const { store, definition, requireValid, version } = this.#served;
    const paths = this.#paths;
    const validated = definition.validatesServedVersion ? version : storedVersion(definition);
    const changed = async (live: KubeObject) => {
      const scale = change(this.#ownership.show(partialScaleOf(live, paths), live));
      const next = scaled(live, scale as Scale, paths, definition);
      // replicas may be the first field of its parent, whose other fields have defaults.
      applySchemaDefaults(next, validated.schema);
      if (!definition.custom) requireValid(next);
      return withManagers(next, this.#ownership.parentManagers(live, scale));
    };
    const written = await store.update(objectName(request.info, this.#served), changed, {
      ...writeContext(request, dryRun),
      ...(preconditions && { preconditions }),
    });
    return this.#respond(request, output, partialScaleOf(written.object(), paths));
  }

  #respond(request: ApiRequest, output: Output, scale: Scale): ApiResponse {
    const readable = readableOf(Buffer.from(stringifyJson(scale)), () => scale);
    return objectResponse(request, this.#shown, output, 200, readable);
  }
}

function withManagers(
  object: KubeObject,
  managedFields: KubeObject['metadata']['managedFields'],
): KubeObject {
  const { managedFields: _before, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

/** The Scale in a response has columns of its own, whichever the resource has. */
function shownScale(served: StoredResource): ServedResource {
  return {
    ...served,
    converter: undefined,
    kind: scaleKind,
    apiVersion: formatGroupVersion(scaleKind),
    view: storageView,
    version: version({
      columns: [
        {
          name: 'Desired',
          type: 'integer',
          description: 'Number of desired replicas',
          cell: (object) => (object as Scale).spec?.replicas ?? 0,
        },
        {
          name: 'Available',
          type: 'integer',
          description: 'Number of actual replicas',
          cell: (object) => (object as Scale).status?.replicas ?? 0,
        },
      ],
    }),
  };
}
