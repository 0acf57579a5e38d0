import { IngressClass } from '@tributary/api/networking-v1';
import { fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { validateIngressClass } from './validation.ts';

const SPEC = root('spec');

const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

export const ingressClassKind = defineResource({
  kind: 'IngressClass',
  plural: 'ingressclasses',
  scope: 'Cluster',
  allowUnconditionalUpdate: true,
  versions: {
    v1: version({
      typed: IngressClass,
      columns: tableColumns<IngressClass>({
        columns: [
          column(
            'Controller',
            'The controller that implements the ingresses',
            ({ spec }) => spec.controller ?? '',
          ),
          column(
            'Parameters',
            'The object with parameters of the controller',
            ({ spec: { parameters } }) => {
              if (!parameters) return '<none>';
              const group = parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`;
              return `${parameters.kind}${group}/${parameters.name}`;
            },
          ),
        ],
        nameOf: ({ metadata }) =>
          metadata.annotations?.[DEFAULT_CLASS] === 'true'
            ? `${metadata.name} (default)`
            : undefined,
      }),
      applyDefaults: ({ spec }) => {
        if (spec.parameters) spec.parameters.scope ??= 'Cluster';
      },
      ...validationHooks<IngressClass>({
        scope: 'Cluster',
        metadataOnUpdate: 'twice',
        validate: validateIngressClass,
        validateUpdate: ({ spec }, live) =>
          spec.controller === live.spec.controller
            ? []
            : [fieldError.invalid(SPEC.child('controller'), spec.controller ?? '', fieldImmutable)],
      }),
    }),
  },
});
