import { CSIStorageCapacity } from '@tributary/api/storage-v1';
import { fieldError, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { validateSubdomain } from '../../shared/validate-names.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';

export const csiStorageCapacityKind = defineResource({
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  scope: 'Namespaced',
  tracksGeneration: false,
  versions: {
    v1: version({
      typed: CSIStorageCapacity,
      // Upstream's server does not use the columns that are defined for it.
      columns: [],
      ...validationHooks<CSIStorageCapacity>({
        metadataOnUpdate: 'twice',
        validate: (one) => [
          ...validateSubdomain(root('storageClassName'), one.storageClassName),
          ...(['capacity', 'maximumVolumeSize'] as const).flatMap((name) =>
            one[name]?.startsWith('-')
              ? [fieldError.invalid(root(name), one[name], 'must be greater than or equal to 0')]
              : [],
          ),
        ],
        immutable: ['nodeTopology', 'storageClassName'],
      }),
    }),
  },
});
