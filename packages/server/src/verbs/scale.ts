import {
  cloneJson,
  fieldError,
  formatGroupVersion,
  internalError,
  invalid,
  type KubeObject,
  notFound,
  parseUpdateOptions,
  root,
} from '@tributary/apimachinery';
import type { ScalePaths } from '../definition/subresource.ts';
import { scaleKind } from '../discovery/served.ts';
import { requireBodyType } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { bodyDecoder } from '../registry/body-decoder.ts';
import { negotiateOutput } from '../representation/output.ts';
import { type JsonSchema, schemaOfFields } from '../schema.ts';
import type { Endpoint, StoredResource } from '../served-resource.ts';
import { objectName, objectPath } from './object-path.ts';
import { readPatchRequest } from './patch.ts';
import { writeContext } from './write-context.ts';

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

/** How many of something there are and should be, as every autoscaler understands it. */
interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** The methods of a resource's `scale`. */
export function scaleMethods(served: StoredResource, paths: ScalePaths): Map<string, Endpoint> {
  const { namespaced, store } = served;
  const schema = schemaOfFields(scaleFields, '');
  const decode = bodyDecoder({
    kind: scaleKind,
    schema,
    namespaced,
    applyDefaults: () => {},
  });
  const update = async (
    request: ApiRequest,
    change: (live: KubeObject) => Scale,
    dryRun: boolean,
  ) => {
    const written = await store.update(
      objectName(request.info, served),
      (live) => scaled(live, change(live), paths),
      writeContext(request, dryRun),
    );
    return answer(scaleOf(written.object(), paths));
  };
  return new Map<string, Endpoint>([
    [
      'GET',
      async (request) => {
        const path = objectPath(request.info, served);
        negotiateOutput(request, 'object');
        const found = await served.cache.get(path, { kind: 'latest' }, request.cancellation);
        if (found === undefined) throw notFound(served.resource, request.info.name);
        return answer(scaleOf(found.object(), paths));
      },
    ],
    [
      'PUT',
      async (request) => {
        objectPath(request.info, served);
        negotiateOutput(request, 'object');
        const body = await request.body();
        const { dryRun, fieldValidation } = parseUpdateOptions(request.query);
        requireBodyType(request.headers.get('content-type'));
        const sent = decode.forUpdate(body, request, fieldValidation);
        return update(request, () => sent, dryRun);
      },
    ],
    [
      'PATCH',
      async (request) => {
        objectPath(request.info, served);
        negotiateOutput(request, 'object');
        const { patched, dryRun, fieldValidation } = await readPatchRequest(request, schema);
        const change = (live: KubeObject) =>
          decode.forPatch(patched(scaleOf(live, paths)), request, fieldValidation);
        return update(request, change, dryRun);
      },
    ],
  ]);
}

function answer(object: Scale): ApiResponse {
  return { kind: 'object', code: 200, object };
}

function scaleOf(object: KubeObject, paths: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = fieldAt(object, paths.specReplicasPath);
  if (wanted === undefined) {
    const path = paths.specReplicasPath;
    throw internalError(
      new Error(`the spec replicas field ${JSON.stringify(path)} does not exist`),
    );
  }
  const selector = paths.labelSelectorPath && fieldAt(object, paths.labelSelectorPath);
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    kind: scaleKind.kind,
    apiVersion: formatGroupVersion(scaleKind),
    metadata: Object.fromEntries(
      Object.entries(metadata).filter(([, value]) => value !== undefined),
    ),
    spec: wanted === 0 ? {} : { replicas: Number(wanted) },
    status: {
      replicas: Number(fieldAt(object, paths.statusReplicasPath) ?? 0),
      ...(selector ? { selector: String(selector) } : {}),
    },
  };
}

/** The object with the wanted number; who names a revision or uid is held to it, as with any update. */
function scaled(live: KubeObject, { metadata, spec }: Scale, paths: ScalePaths): KubeObject {
  const replicas = spec?.replicas ?? 0;
  if (replicas < 0) {
    const path = root('spec').child('replicas');
    const error = fieldError.invalid(path, replicas, 'must be greater than or equal to 0');
    throw invalid(scaleKind, metadata.name ?? '', [error]);
  }
  const next = cloneJson(live) as KubeObject;
  if (metadata.resourceVersion) next.metadata.resourceVersion = metadata.resourceVersion;
  if (metadata.uid) next.metadata.uid = metadata.uid;
  setFieldAt(next, paths.specReplicasPath, replicas);
  return next;
}

function fieldAt(object: object, path: string): unknown {
  let at: unknown = object;
  for (const name of path.slice(1).split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at ?? undefined;
}

function setFieldAt(object: object, path: string, value: number): void {
  const names = path.slice(1).split('.');
  const last = names.pop() ?? '';
  let at = object as Record<string, unknown>;
  for (const name of names) {
    if (typeof at[name] !== 'object' || at[name] === null) at[name] = {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = value;
}
