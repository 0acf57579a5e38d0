/** CertificateSigningRequests with their approval and status. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import { CertificateSigningRequest as Csr } from '../kinds.ts';
import { EVE, EVE_CERTIFICATE, EVE_IN_MASTERS } from './certificate-fixtures.ts';
import { everyKind } from './every-kind.ts';
import { creates, get, given, object, pathOf, post, put, row, TABLE, updates } from './words.ts';

const asked = (more: JsonObject = {}): JsonObject => ({
  spec: { request: EVE, signerName: 'example.com/signer', usages: ['client auth'], ...more },
});
const condition = (type: string, more: JsonObject = {}): JsonObject => ({
  conditions: [{ type, status: 'True', reason: 'Tested', message: 'It was tested.', ...more }],
});

function change(
  subresource: 'approval' | 'status',
  status: JsonObject,
  from = 'given-a',
): RequestStep {
  const body = object(Csr, {
    metadata: { resourceVersion: `{rv:${from}}` },
    ...asked(),
    status,
  });
  return { ...put(Csr, {}), name: subresource, path: `${pathOf(Csr)}/${subresource}`, body };
}

export const certificates: RowGroup = {
  name: 'certificatesigningrequests',
  rows: [
    ...everyKind(Csr, {
      minimal: asked(),
      full: asked({
        expirationSeconds: 3600,
        usages: ['digital signature', 'key encipherment', 'client auth'],
        // The server sets the requester, whatever the object has.
        username: 'mallory',
        uid: 'x',
        groups: ['system:masters'],
        extra: { a: ['b'] },
      }),
      changed: { ...asked(), metadata: { annotations: { a: 'b' } } },
      merge: { metadata: { annotations: { a: 'b' } } },
      json: [{ op: 'replace', path: '/spec/signerName', value: 'example.com/other' }],
      strategic: { spec: { usages: ['server auth'] } },
      applied: { metadata: { annotations: { a: 'b' } }, ...asked() },
      wrongTypes: {
        'with a request that is no base64': asked({ request: '!' }),
        'with usages that are a text': asked({ usages: 'client auth' }),
      },
      fieldSelectors: ['spec.signerName=example.com/signer'],
    }),
    ...creates(Csr, {
      'without a spec': {},
      'without a request': asked({ request: '' }),
      'with a request that is none': asked({ request: 'bm9uZQ==' }),
      'without a signer': asked({ signerName: '' }),
      'with a signer without a path': asked({ signerName: 'example.com' }),
      'with a bad signer': asked({ signerName: 'not ok/x' }),
      'for the old signer': asked({ signerName: 'kubernetes.io/legacy-unknown' }),
      'without usages': asked({ usages: [] }),
      'with an unknown usage': asked({ usages: ['anything'] }),
      'with a usage twice': asked({ usages: ['client auth', 'client auth'] }),
      'for a short time': asked({ expirationSeconds: 599 }),
      'for the API server': asked({ signerName: 'kubernetes.io/kube-apiserver-client' }),
      'for the API server as a master': asked({
        request: EVE_IN_MASTERS,
        signerName: 'kubernetes.io/kube-apiserver-client',
      }),
      'with a status': { ...asked(), status: condition('Approved') },
    }),
    ...updates(Csr, {
      'of the status, ignored': {
        from: asked(),
        to: { ...asked(), status: condition('Approved') },
      },
    }),
    row(
      Csr,
      'update',
      'approved',
      given(Csr, asked()),
      change('approval', condition('Approved')),
      get(Csr),
      get(Csr, { name: 'table', headers: { accept: TABLE } }),
    ),
    row(
      Csr,
      'update',
      'denied',
      given(Csr, asked()),
      change('approval', condition('Denied')),
      get(Csr, { name: 'table', headers: { accept: TABLE } }),
    ),
    row(
      Csr,
      'update',
      'approved and denied',
      given(Csr, asked()),
      change('approval', condition('Approved')),
      { ...change('approval', condition('Denied'), 'approval'), name: 'again' },
    ),
    row(
      Csr,
      'update',
      'approved with status False',
      given(Csr, asked()),
      change('approval', condition('Approved', { status: 'False' })),
    ),
    row(
      Csr,
      'update',
      'approved without a status',
      given(Csr, asked()),
      change('approval', { conditions: [{ type: 'Approved' }] }),
    ),
    row(
      Csr,
      'update',
      'a condition without a type',
      given(Csr, asked()),
      change('approval', condition('')),
    ),
    row(
      Csr,
      'update',
      'issued',
      given(Csr, asked()),
      change('status', { certificate: EVE_CERTIFICATE }),
      get(Csr, { name: 'table', headers: { accept: TABLE } }),
    ),
    row(
      Csr,
      'update',
      'issued again',
      given(Csr, asked()),
      change('status', { certificate: EVE_CERTIFICATE }),
      {
        ...change('status', { certificate: EVE }, 'status'),
        name: 'again',
      },
    ),
    row(
      Csr,
      'update',
      'issued what is no certificate',
      given(Csr, asked()),
      change('status', { certificate: EVE }),
    ),
    row(Csr, 'update', 'failed', given(Csr, asked()), change('status', condition('Failed'))),
    row(
      Csr,
      'update',
      'approved by the status',
      given(Csr, asked()),
      change('status', condition('Approved')),
    ),
    row(
      Csr,
      'get',
      'the approval',
      given(Csr, asked()),
      get(Csr, { path: `${pathOf(Csr)}/approval` }),
    ),
    row(Csr, 'create', 'by alice', post(Csr, object(Csr, asked()), { as: 'alice' })),
  ],
};
