import type { CertificateSigningRequest } from '@tributary/api/certificates-v1';
import { humanDuration } from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';
import { conditionsOf } from './conditions.ts';

const NONE = '<none>';

/** All of them: the age stands in their midst. */
export const requestColumns: readonly ColumnInput<CertificateSigningRequest>[] = [
  nameColumn,
  ageColumn,
  {
    name: 'SignerName',
    description: 'Who is asked to sign it',
    cell: ({ spec }) => spec.signerName || NONE,
  },
  {
    name: 'Requestor',
    description: 'Who asks',
    cell: ({ spec }) => spec.username ?? '',
  },
  {
    name: 'RequestedDuration',
    description: 'How long the certificate should be valid',
    cell: ({ spec: { expirationSeconds } }) =>
      expirationSeconds === undefined ? NONE : humanDuration(expirationSeconds * 1000),
  },
  {
    name: 'Condition',
    description: 'What was decided, and whether there is a certificate',
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
