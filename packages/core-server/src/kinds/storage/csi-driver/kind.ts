import { isDeepStrictEqual } from 'node:util';
import { CSIDriver } from '@tributary/api/storage-v1';
import { fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { column, flag, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { validateDriver } from './validation.ts';

const SPEC = root('spec');

export const csiDriverKind = defineResource({
  kind: 'CSIDriver',
  plural: 'csidrivers',
  scope: 'Cluster',
  tracksGeneration: false,
  returnsDeletedObject: true,
  versions: {
    v1: version({
      typed: CSIDriver,
      columns: tableColumns<CSIDriver>({
        columns: [
          flag(
            'AttachRequired',
            'Whether volumes must be attached',
            ({ spec }) => spec.attachRequired ?? true,
          ),
          flag(
            'PodInfoOnMount',
            'Whether mounting passes pod information',
            ({ spec }) => spec.podInfoOnMount,
          ),
          flag(
            'StorageCapacity',
            'Whether the driver publishes storage capacity',
            ({ spec }) => spec.storageCapacity,
          ),
          column(
            'TokenRequests',
            'The audiences of tokens for the driver',
            ({ spec: { tokenRequests } }) =>
              tokenRequests ? tokenRequests.map(({ audience }) => audience).join(',') : '<unset>',
          ),
          flag(
            'RequiresRepublish',
            'Whether volumes are published repeatedly',
            ({ spec }) => spec.requiresRepublish,
          ),
          column(
            'Modes',
            'The lifecycle modes of volumes',
            ({ spec }) => (spec.volumeLifecycleModes ?? []).join(',') || '<none>',
          ),
        ],
      }),
      applyDefaults: ({ spec }) => {
        spec.attachRequired ??= true;
        spec.podInfoOnMount ??= false;
        spec.storageCapacity ??= false;
        spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
        if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
        spec.requiresRepublish ??= false;
        spec.seLinuxMount ??= false;
        spec.preventPodSchedulingIfMissing ??= false;
      },
      // Upstream counts generations of updates only; a new driver has none.
      prepareForUpdate: (next, live) => {
        if (isDeepStrictEqual(next.spec, live.spec)) return;
        next.metadata.generation = Number(live.metadata.generation ?? 0) + 1;
      },
      ...validationHooks<CSIDriver>({
        scope: 'Cluster',
        validate: ({ spec }) => validateDriver(spec),
        validateUpdate: ({ spec }, live) =>
          spec.attachRequired === live.spec.attachRequired
            ? []
            : [
                fieldError.invalid(
                  SPEC.child('attachedRequired'),
                  spec.attachRequired ?? null,
                  fieldImmutable,
                ),
              ],
      }),
      warnings: ({ spec }) =>
        spec.tokenRequests?.length && spec.serviceAccountTokenInSecrets === undefined
          ? [TOKENS]
          : [],
    }),
  },
});

const TOKENS =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';
