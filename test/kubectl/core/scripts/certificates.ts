import { manifest, type Script } from '../script.ts';
import { REQUEST } from './tls-pair.ts';

const spec = {
  request: Buffer.from(REQUEST).toString('base64'),
  signerName: 'example.com/serving',
  usages: ['digital signature', 'key encipherment', 'server auth'],
};
const request = (name: string, more: object = {}): object =>
  manifest('CertificateSigningRequest', { spec: { ...spec, ...more } }, `NAMESPACE-${name}`);

export const certificates: Script = {
  name: 'certificates',
  steps: [
    { run: 'create -f -', input: request('one') },
    { run: 'create -f -', input: request('two', { expirationSeconds: 3600 }) },
    { run: 'create -f -', input: request('three') },
    { run: 'create -f -', input: request('bad', { expirationSeconds: 1, usages: ['nope'] }) },
    { run: 'create -f -', input: request('bad', { request: 'bm8=' }) },
    { run: 'get csr NAMESPACE-one' },
    { run: 'get csr NAMESPACE-one NAMESPACE-two -o wide' },
    { run: 'get certificatesigningrequest NAMESPACE-one -o yaml' },
    {
      run: 'get csr --field-selector spec.signerName=example.com/serving -o name',
      keep: /NAMESPACE/,
    },
    { run: 'describe csr NAMESPACE-one' },
    { run: 'certificate approve NAMESPACE-one' },
    { run: 'certificate deny NAMESPACE-two' },
    { run: 'certificate approve NAMESPACE-two' },
    { run: 'certificate approve NAMESPACE-none' },
    { run: 'get csr NAMESPACE-one NAMESPACE-two NAMESPACE-three' },
    { run: 'get csr NAMESPACE-one -o yaml' },
    { run: 'describe csr NAMESPACE-two' },
    { run: 'delete csr NAMESPACE-one NAMESPACE-two NAMESPACE-three' },
  ],
};
