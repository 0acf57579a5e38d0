import { ControllerRevision } from '@tributary/api/apps-v1';
import { fieldError, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { notNegative } from '../../core/pod-template/validate-probes.ts';
import { column, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';

export const controllerRevisionKind = defineResource({
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  scope: 'Namespaced',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  versions: {
    v1: version({
      typed: ControllerRevision,
      columns: tableColumns<ControllerRevision>({
        columns: [
          column('Controller', 'The controller of the revision', ({ metadata }) => {
            const owner = metadata.ownerReferences?.find(({ controller }) => controller);
            if (owner === undefined) return '<none>';
            const group = owner.apiVersion.includes('/')
              ? `.${owner.apiVersion.split('/')[0]}`
              : '';
            return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
          }),
          column('Revision', 'The number of the revision', ({ revision }) => Number(revision)),
        ],
      }),
      ...validationHooks<ControllerRevision>({
        metadataOnUpdate: 'twice',
        validate: ({ data, revision }) => [
          ...notNegative(root('revision'), revision),
          ...(data === undefined || data === null
            ? [fieldError.required(root('data'), 'data is mandatory')]
            : []),
        ],
        immutable: ['data'],
      }),
    }),
  },
});
