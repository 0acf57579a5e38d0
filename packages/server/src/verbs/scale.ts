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
import { scaleOwnership } from '../registry/scale-ownership.ts';
import type { Preconditions } from '../registry/write-options.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput, type Output } from '../representation/output.ts';
import type {
  Endpoint,
  ServedResource,
  StoredResource,
} from '../representation/served-resource.ts';
import { requireBodyType } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
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
  const { store, requireValid, resource, kind, definition } = served;
  const shown = shownScale(served);
  const schema = schemaOfFields(scaleFields, '');
  const { group, version: endpointVersion } = kind;
  const validated = definition.validatesServedVersion ? served.version : storedVersion(definition);
  const ownership = scaleOwnership({
    group,
    definition,
    version: endpointVersion,
    paths,
    fields: scaleFields,
    nowMs,
  });
  const decode = new BodyDecoder({
    kind: scaleKind,
    schema,
    namespaced: served.namespaced,
    applyDefaults: () => {},
  });
  const respond = (request: ApiRequest, output: Output, scale: Scale) => {
    const readable = readableOf(Buffer.from(stringifyJson(scale)), () => scale);
    return objectResponse(request, shown, output, 200, readable);
  };
  const write = async (
    request: ApiRequest,
    output: Output,
    { change, dryRun, preconditions }: ScaleWrite,
  ) => {
    const changed = async (live: KubeObject) => {
      const scale = change(ownership.show(partialScaleOf(live, paths), live));
      const next = scaled(live, scale as Scale, paths, definition);
      // replicas may be the first field of its parent, whose other fields have defaults.
      applySchemaDefaults(next, validated.schema);
      if (!definition.custom) requireValid(next);
      return withManagers(next, ownership.parentManagers(live, scale));
    };
    const written = await store.update(objectName(request.info, served), changed, {
      ...writeContext(request, dryRun),
      ...(preconditions && { preconditions }),
    });
    return respond(request, output, partialScaleOf(written.object(), paths));
  };
  const get: Endpoint = async (request) => {
    const path = objectPath(request.info, served);
    const output = negotiateOutput(request);
    const found = await served.cache.get(path, { kind: 'latest' }, request.cancellation);
    if (found === undefined) throw notFound(resource, request.info.name);
    const shownObject = await convertItem(served, found, request.cancellation);
    return respond(request, output, scaleOf(shownObject.object(), paths));
  };
  const put: Endpoint = async (request) => {
    objectPath(request.info, served);
    const output = negotiateOutput(request);
    const body = await request.body();
    const { dryRun, fieldManager, fieldValidation } = parseUpdateOptions(request.query);
    requireBodyType(request.headers.get('content-type'));
    const read = () => decode.forUpdate(body, request, fieldValidation);
    const sent = await readScale(read, definition);
    const { uid } = sent.metadata;
    // An unset number of a whole Scale is 0.
    const wanted: Scale = { ...sent, spec: { replicas: 0, ...sent.spec } };
    const manager = managerOf(request, fieldManager);
    return write(request, output, {
      change: (live) => ownership.track(live, wanted, manager),
      dryRun,
      ...(uid && { preconditions: { uid } }),
    });
  };
  const patch: Endpoint = async (request) => {
    objectPath(request.info, served);
    const output = negotiateOutput(request);
    const { patched, manager, dryRun, fieldValidation } = await readPatchRequest(request, schema);
    const change = (live: KubeObject) =>
      ownership.track(live, decode.forPatch(patched(live), request, fieldValidation), manager);
    return write(request, output, { change, dryRun });
  };
  const apply: Endpoint = async (request) => {
    objectPath(request.info, served);
    const output = negotiateOutput(request);
    const body = await request.body();
    const options = parsePatchOptions(request.query, { isApply: true });
    const { config, duplicates } = await readConfiguration(body, request, served);
    const { fieldManager: manager, force, dryRun, fieldValidation } = options;
    const change = (live: KubeObject) => {
      const applied = ownership.apply(live, config, { manager, force });
      reportDuplicates(duplicates, fieldValidation, request);
      return decode.forApply(applied, request);
    };
    return write(request, output, { change, dryRun });
  };
  return new Map<string, Endpoint>([
    ['GET', get],
    ['PUT', put],
    ['PATCH', (request) => (isApply(request) ? apply(request) : patch(request))],
  ]);
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
