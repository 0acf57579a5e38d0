import { isDeepStrictEqual } from 'node:util';
import { VolumeAttributesClass } from '@tributary/api/storage-v1';
import { fieldError, root } from '@tributary/apimachinery';
import { column } from '../../shared/columns.ts';
import { protectedBy } from '../../shared/protection.ts';
import { storedKind } from '../../shared/stored-kind.ts';

export const volumeAttributesClassKind = storedKind<VolumeAttributesClass>({
  typed: VolumeAttributesClass,
  metadataOnUpdate: 'twice',
  plural: 'volumeattributesclasses',
  admit: { create: protectedBy('kubernetes.io/vac-protection') },
  shortNames: ['vac'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  columns: [column('DriverName', 'Whose properties they are', ({ driverName }) => driverName)],
  validate: ({ driverName, parameters = {} }) => [
    ...(driverName === '' ? [fieldError.required(root('driverName'))] : []),
    ...(Object.keys(parameters).length === 0
      ? [fieldError.required(root('parameters'), 'must contain at least one key/value pair')]
      : []),
  ],
  validateChange: (next, live) =>
    (['driverName', 'parameters'] as const)
      .filter((name) => !isDeepStrictEqual(next[name], live[name]))
      .map((name) => fieldError.forbidden(root(name), `updates to ${name} are forbidden.`)),
});
