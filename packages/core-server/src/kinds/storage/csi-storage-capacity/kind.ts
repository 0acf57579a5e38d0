import { CSIStorageCapacity } from '@tributary/api/storage-v1';
import { fieldError, root } from '@tributary/apimachinery';
import { storedKind } from '../../shared/stored-kind.ts';
import { validateSubdomain } from '../../shared/validate-names.ts';

export const csiStorageCapacityKind = storedKind<CSIStorageCapacity>({
  typed: CSIStorageCapacity,
  metadataOnUpdate: 'twice',
  plural: 'csistoragecapacities',
  allowUnconditionalUpdate: false,
  // Upstream has columns for it, and the server of them does not use them.
  allColumns: [],
  validate: (one) => [
    ...validateSubdomain(root('storageClassName'), one.storageClassName),
    ...(['capacity', 'maximumVolumeSize'] as const).flatMap((name) =>
      one[name]?.startsWith('-')
        ? [fieldError.invalid(root(name), one[name], 'must be greater than or equal to 0')]
        : [],
    ),
  ],
  immutable: ['nodeTopology', 'storageClassName'],
});
