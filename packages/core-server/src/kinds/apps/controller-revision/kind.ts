import { ControllerRevision } from '@tributary/api/apps-v1';
import { fieldError, root } from '@tributary/apimachinery';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';

export const controllerRevisionKind = storedKind<ControllerRevision>({
  typed: ControllerRevision,
  metadataOnUpdate: 'twice',
  plural: 'controllerrevisions',
  columns: [
    column('Controller', 'Whose state it is', ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller);
      if (owner === undefined) return '<none>';
      const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
      return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
    }),
    column('Revision', 'Which state of many', ({ revision }) => Number(revision)),
  ],
  validate: ({ data, revision }) => [
    ...notNegative(root('revision'), revision),
    ...(data === undefined || data === null
      ? [fieldError.required(root('data'), 'data is mandatory')]
      : []),
  ],
  immutable: ['data'],
});
