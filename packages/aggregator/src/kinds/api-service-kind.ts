import { APIService } from '@tributary/api/apiregistration-v1';
import { formatTime, root, validateObjectMetaUpdate } from '@tributary/apimachinery';
import {
  type AdmissionResult,
  allow,
  type CreateReview,
  type ResourceDefinition,
} from '@tributary/server';
import { defineResource, resetObjectMetaForStatus, version } from '@tributary/server/definition';
import { DEFAULT_SERVICE_PORT } from '../api-services/decode-registration.ts';
import { alreadyServed } from './already-served.ts';
import { apiServiceColumns } from './api-service-columns.ts';
import { validateApiService } from './validate-api-service.ts';
import { type IsBuiltIn, validateBackend } from './validate-backend.ts';

export interface ApiServiceKindOptions {
  readonly isBuiltIn: IsBuiltIn;
  readonly nowMs: () => number;
}

/** The kind APIService. */
export function apiServiceKind(options: ApiServiceKindOptions): ResourceDefinition<APIService> {
  const { isBuiltIn, nowMs } = options;
  const kind: ResourceDefinition<APIService> = defineResource({
    kind: 'APIService',
    plural: 'apiservices',
    categories: ['api-extensions'],
    scope: 'Cluster',
    names: 'path-segment',
    tracksGeneration: false,
    subresources: { status: true },
    resetFields: { status: ['spec', 'metadata'] },
    admit: {
      create: (review) => refuseSecondClaim(review),
      update: resetObjectMetaForStatus,
    },
    versions: {
      v1: version({
        typed: APIService,
        columns: apiServiceColumns,
        repeatsTableColumns: true,
        applyDefaults: ({ spec }) => {
          if (spec.service) spec.service.port ??= DEFAULT_SERVICE_PORT;
        },
        prepareForCreate: (apiService) => {
          const isLocal = apiService.spec.service === undefined;
          apiService.status = isLocal ? { conditions: [localAvailable(nowMs())] } : {};
        },
        validate: (apiService) => [
          ...validateApiService(apiService),
          ...validateBackend(apiService, isBuiltIn),
        ],
        validateUpdate: (next, live) => [
          ...validateObjectMetaUpdate(next.metadata, live.metadata, root('metadata')),
          ...validateApiService(next),
          ...validateBackend(next, isBuiltIn, live),
        ],
      }),
    },
  });
  return kind;

  /** Improves the message only: the store refuses a name that is not in the cache. */
  async function refuseSecondClaim(review: CreateReview<APIService>): Promise<AdmissionResult> {
    const { object, name, read } = review;
    if (name === '') return allow;
    // An invalid object gets its validation errors.
    if (validateApiService(object).length > 0) return allow;
    const holder = await read(kind).get(name);
    const refusal = holder && alreadyServed(holder, isBuiltIn);
    if (refusal) throw refusal;
    return allow;
  }
}

export const LOCAL_REASON = 'Local';

/** The condition of a local APIService, True from the start. */
export function localAvailable(nowMs: number) {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: formatTime(nowMs),
    reason: LOCAL_REASON,
    message: 'Local APIServices are always available',
  };
}
