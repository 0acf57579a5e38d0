import { IngressClass } from '@tributary/api/networking-v1';
import { fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { validateIngressClass } from './validation.ts';

const SPEC = root('spec');

const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

export const ingressClassKind = storedKind<IngressClass>({
  typed: IngressClass,
  metadataOnUpdate: 'twice',
  plural: 'ingressclasses',
  scope: 'Cluster',
  generation: true,
  columns: [
    column('Controller', 'Who serves its ingresses', ({ spec }) => spec.controller ?? ''),
    column('Parameters', 'Which settings belong to it', ({ spec: { parameters } }) => {
      if (!parameters) return '<none>';
      const group = parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`;
      return `${parameters.kind}${group}/${parameters.name}`;
    }),
  ],
  nameOf: ({ metadata }) =>
    metadata.annotations?.[DEFAULT_CLASS] === 'true' ? `${metadata.name} (default)` : undefined,
  applyDefaults: ({ spec }) => {
    if (spec.parameters) spec.parameters.scope ??= 'Cluster';
  },
  validate: validateIngressClass,
  validateChange: ({ spec }, live) =>
    spec.controller === live.spec.controller
      ? []
      : [fieldError.invalid(SPEC.child('controller'), spec.controller ?? '', fieldImmutable)],
});
