import {
  badRequest,
  type DeleteOptions,
  decodeDeleteOptions,
  parseDeleteOptions,
  parseGroupVersion,
  readTypeMeta,
} from '@tributary/apimachinery';
import type { DeletionOptions } from '../definition/lifecycle.ts';
import { kindNotRegistered } from '../registry/kind-not-registered.ts';
import type { WriteOptions } from '../registry/write-options.ts';
import type { StoredResource } from '../representation/served-resource.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { deleteOptionsBody } from './delete-options-body.ts';
import { writeContext } from './write-context.ts';

/** The options of a DELETE: the query counts only without a body. */
export async function readDeleteOptions(
  request: ApiRequest,
  { kind: { group } }: StoredResource,
): Promise<DeleteOptions> {
  const body = await request.body();
  if (body.length === 0) return parseDeleteOptions(request.query);
  const document = deleteOptionsBody(body, request);
  const type = readTypeMeta(document);
  if (!type.ok) throw badRequest(type.message);
  if (type.kind !== '' && type.kind !== 'DeleteOptions') {
    const sent = parseGroupVersion(type.apiVersion) ?? { group: '', version: type.apiVersion };
    throw badRequest(kindNotRegistered({ ...sent, kind: type.kind }, group));
  }
  return decodeDeleteOptions(document);
}

/** The preconditions and propagation for the store. */
export function deletionOf(
  options: DeleteOptions,
  request: ApiRequest,
): { requested: DeletionOptions; options: WriteOptions } {
  const { dryRun, preconditions, propagationPolicy, orphanDependents, gracePeriodSeconds } =
    options;
  return {
    requested: {
      ...(propagationPolicy !== undefined && { propagationPolicy }),
      ...(orphanDependents !== undefined && { orphanDependents }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    },
    options: writeContext(request, dryRun, preconditions),
  };
}

/** The default of some kinds orphans dependents; a client that does not specify a policy may not expect it. */
export function warnOfOrphans(
  { propagationPolicy, orphanDependents }: DeletionOptions,
  { warnings }: ApiRequest,
  { definition: { lifecycle } }: StoredResource,
): void {
  const warning = lifecycle.orphansByDefault?.warning;
  if (warning === undefined) return;
  if (propagationPolicy === undefined && orphanDependents === undefined) warnings.add(warning);
}
