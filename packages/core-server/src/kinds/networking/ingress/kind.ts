import { Ingress } from '@tributary/api/networking-v1';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { addressText, hostsText } from './columns.ts';
import { validateIngress } from './validation.ts';

export const ingressKind = defineResource({
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  versions: {
    v1: version({
      typed: Ingress,
      columns: tableColumns<Ingress>({
        columns: [
          column('Class', 'The class', ({ spec }) => spec.ingressClassName ?? '<none>'),
          column('Hosts', 'The hosts of the rules', ({ spec }) => hostsText(spec)),
          column('Address', 'The addresses of the load balancer', addressText),
          column('Ports', 'The ports of the load balancer', ({ spec }) =>
            spec.tls?.length ? '80, 443' : '80',
          ),
        ],
      }),
      ...validationHooks<Ingress>({
        hasStatus: true,
        metadataOnUpdate: 'twice',
        validate: ({ spec }) => validateIngress(spec),
      }),
    }),
  },
});
