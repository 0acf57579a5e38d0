import type { CertificateSigningRequest } from '@tributary/api/certificates-v1';
import { humanDuration } from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';
import { conditionsOf } from './conditions.ts';

const NONE = '<none>';

/** All columns, because the age is not the last one. */
export const requestColumns: readonly ColumnInput<CertificateSigningRequest>[] = [
  nameColumn,
  ageColumn,
  {
    name: 'SignerName',
    description: 'The name of the signer',
    cell: ({ spec }) => spec.signerName || NONE,
  },
  {
    name: 'Requestor',
    description: 'The user that made the request',
    cell: ({ spec }) => spec.username ?? '',
  },
  {
    name: 'RequestedDuration',
    description: 'The requested validity of the certificate',
    cell: ({ spec: { expirationSeconds } }) =>
      expirationSeconds === undefined ? NONE : humanDuration(expirationSeconds * 1000),
  },
  {
    name: 'Condition',
    description: 'Approved, Denied, Failed or Issued',
    cell: conditionText,
  },
];

function conditionText(request: CertificateSigningRequest): string {
  const has = (type: string) => conditionsOf(request, type).length > 0;
  const decided = has('Approved') ? 'Approved' : 'Pending';
  return [
    has('Denied') ? 'Denied' : decided,
    ...(has('Failed') ? ['Failed'] : []),
    ...(request.status?.certificate ? ['Issued'] : []),
  ].join(',');
}
