import { isDeepStrictEqual } from 'node:util';
import { VolumeAttributesClass } from '@tributary/api/storage-v1';
import { fieldError, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { addFinalizer } from '../../shared/protection.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';

export const volumeAttributesClassKind = defineResource({
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  shortNames: ['vac'],
  scope: 'Cluster',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  returnsDeletedObject: true,
  admit: { create: addFinalizer('kubernetes.io/vac-protection') },
  versions: {
    v1: version({
      typed: VolumeAttributesClass,
      columns: tableColumns<VolumeAttributesClass>({
        columns: [
          column('DriverName', 'The driver of the attributes', ({ driverName }) => driverName),
        ],
      }),
      ...validationHooks<VolumeAttributesClass>({
        scope: 'Cluster',
        metadataOnUpdate: 'twice',
        validate: ({ driverName, parameters = {} }) => [
          ...(driverName === '' ? [fieldError.required(root('driverName'))] : []),
          ...(Object.keys(parameters).length === 0
            ? [fieldError.required(root('parameters'), 'must contain at least one key/value pair')]
            : []),
        ],
        validateUpdate: (next, live) =>
          (['driverName', 'parameters'] as const)
            .filter((name) => !isDeepStrictEqual(next[name], live[name]))
            .map((name) => fieldError.forbidden(root(name), `updates to ${name} are forbidden.`)),
      }),
    }),
  },
});
