import { Ingress } from '@tributary/api/networking-v1';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { addressText, hostsText } from './columns.ts';
import { validateIngress } from './validation.ts';

export const ingressKind = storedKind<Ingress>({
  typed: Ingress,
  metadataOnUpdate: 'twice',
  plural: 'ingresses',
  shortNames: ['ing'],
  generation: true,
  status: true,
  columns: [
    column('Class', 'Of which class it is', ({ spec }) => spec.ingressClassName ?? '<none>'),
    column('Hosts', 'For which hosts it is', ({ spec }) => hostsText(spec)),
    column('Address', 'Where it is reached', addressText),
    column('Ports', 'At which ports', ({ spec }) => (spec.tls?.length ? '80, 443' : '80')),
  ],
  validate: ({ spec }) => validateIngress(spec),
});
