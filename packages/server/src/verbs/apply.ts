import {
  badRequest,
  conflict,
  type DecodedYaml,
  decodeJson,
  decodeYaml,
  type FieldValidation,
  JsonError,
  type KubeObject,
  parsePatchOptions,
  StatusError,
  YamlError,
  yamlDepthMax,
} from '@tributary/apimachinery';
import type { WriteContext } from '../registry/admission.ts';
import type { FieldOwnership } from '../registry/field-ownership.ts';
import type { ObjectName } from '../registry/object-name.ts';
import type { ResourceStore, Written } from '../registry/resource-store.ts';
import { objectResponse } from '../representation/object-response.ts';
import { negotiateOutput } from '../representation/output.ts';
import type { ServedResource, StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { YAML_BYTES_ON_LOOP } from '../validation/yaml-job.ts';
import { Turn } from '../watch-cache/event-loop.ts';
import { requireMayCreate } from './may-create.ts';
import { objectName } from './object-path.ts';
import { writeContext } from './write-context.ts';

/** Server-side apply to a whole object, which is created when it does not exist. */
export async function apply(request: ApiRequest, served: StoredResource): Promise<ApiResponse> {
  const { store, ownership } = served;
  const applyRequest = await readApplyRequest(request, served);
  const make = (live?: KubeObject) => applyRequest.merge(live, ownership, (object) => object);
  for (;;) {
    try {
      const written = await store.update(applyRequest.name, make, applyRequest.context);
      return objectResponse(request, served, applyRequest.output, 200, written);
    } catch (error) {
      if (!isStatus(error, 'NotFound')) throw error;
    }
    const written = await createFrom(request, served, make, applyRequest);
    if (written !== undefined)
      return objectResponse(request, served, applyRequest.output, 201, written);
    // Another request created it meanwhile.
    applyRequest.context.signal.throwIfAborted();
  }
}

/** Server-side apply to a subresource, which never creates an object. */
export async function applyTo(
  request: ApiRequest,
  served: StoredResource,
  {
    store,
    ownership,
    part,
  }: {
    readonly store: ResourceStore;
    readonly ownership: FieldOwnership;
    /** The applied part merged into the live object. */
    readonly part: (applied: KubeObject, live: KubeObject) => KubeObject;
  },
): Promise<ApiResponse> {
  const applyRequest = await readApplyRequest(request, served);
  const written = await store.update(
    applyRequest.name,
    (live) =>
      applyRequest.merge(live, ownership, (object) => part(object, served.view.fromStorage(live))),
    applyRequest.context,
  );
  return objectResponse(request, served, applyRequest.output, 200, written);
}

type ApplyRequest = Awaited<ReturnType<typeof readApplyRequest>>;

/** Reads the parameters and the body; their effect depends on the live object. */
async function readApplyRequest(request: ApiRequest, served: StoredResource) {
  const name = objectName(request.info, served);
  const output = negotiateOutput(request);
  const body = await request.body();
  const options = parsePatchOptions(request.query, { isApply: true });
  // The configuration may be large: yield to the event loop between the steps.
  const turn = new Turn();
  const { config, duplicates } = await readConfiguration(body, request, served);
  served.decode.requireFewValues(config);
  if (turn.isOver) await turn.next();
  const merge = async (
    live: KubeObject | undefined,
    ownership: FieldOwnership,
    part: (object: KubeObject) => KubeObject,
  ): Promise<KubeObject> => {
    const { fieldManager: manager, force } = options;
    const merging = new Turn();
    const applied = await ownership.apply(live, config, { manager, force });
    if (merging.isOver) await merging.next();
    reportDuplicates(duplicates, options.fieldValidation, request);
    return served.view.toStorage(served.decode.forApply(part(applied), request));
  };
  return { name, output, config, merge, context: writeContext(request, options.dryRun) };
}

async function createFrom(
  request: ApiRequest,
  served: StoredResource,
  make: () => Promise<KubeObject>,
  {
    name,
    config,
    context,
  }: { name: ObjectName; context: WriteContext } & Pick<ApplyRequest, 'config'>,
): Promise<Written | undefined> {
  const object = await make();
  const { uid } = config.metadata ?? {};
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(served.resource, name.name, why);
  }
  const permit = () => requireMayCreate(request, served);
  try {
    return await served.store.create(object, { ...context, permit });
  } catch (error) {
    if (isStatus(error, 'AlreadyExists')) return undefined;
    throw error;
  }
}

function isStatus(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.status.reason === reason;
}

/** JSON is YAML, so one decoder is enough. */
export async function readConfiguration(
  body: Uint8Array,
  { cancellation }: ApiRequest,
  { validationThread }: Pick<ServedResource, 'validationThread'>,
): Promise<{ config: KubeObject; duplicates: readonly string[] }> {
  try {
    const { value, duplicates } =
      decodeJsonConfiguration(body) ??
      (validationThread !== undefined && body.length > YAML_BYTES_ON_LOOP
        ? await validationThread.decodeYaml(body, yamlDepthMax, cancellation)
        : decodeYaml(body));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw badRequest('error decoding YAML: the configuration is no object');
    }
    const { metadata } = value as Partial<KubeObject>;
    const config = { ...value, metadata: metadata ?? {} } as KubeObject;
    return { config, duplicates };
  } catch (error) {
    throw error instanceof YamlError ? badRequest(`error decoding YAML: ${error.message}`) : error;
  }
}

const OPENING_BRACE = 0x7b;

/**
 * Most clients send JSON, which decodes faster than YAML; errors are reported by the YAML decoder, as upstream does.
 */
function decodeJsonConfiguration(
  body: Uint8Array,
): Pick<DecodedYaml, 'value' | 'duplicates'> | undefined {
  if (body[0] !== OPENING_BRACE) return undefined;
  try {
    const { value, duplicateFields } = decodeJson(body);
    return duplicateFields.length === 0 ? { value, duplicates: [] } : undefined;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}

export function reportDuplicates(
  duplicates: readonly string[],
  strictness: FieldValidation,
  { warnings }: ApiRequest,
): void {
  if (duplicates.length === 0 || strictness === 'Ignore') return;
  if (strictness === 'Strict') {
    const lines = duplicates.map((text) => `  ${text}`);
    throw badRequest(
      [
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:',
        ...lines,
      ].join('\n'),
    );
  }
  for (const text of duplicates) warnings.add(text);
}
