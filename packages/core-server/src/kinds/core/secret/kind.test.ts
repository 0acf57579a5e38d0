import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Secret } from '@tributary/api/core-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { foundNow } from '../../../../test/found-now.ts';
import { secretKind, validateSecret } from './kind.ts';
import { keyPairWarnings } from './tls-key-pair.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function secret(fields: Partial<Secret>): Secret {
  return {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'default', resourceVersion: '1' },
    type: 'Opaque',
    ...fields,
  };
}

const withData = (type: string, data: Record<string, string>): Partial<Secret> => ({
  type,
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])),
});
const REDACTED = 'Invalid value: "<secret contents redacted>"';

describe('each type of Secret requires its keys', () => {
  const cases: { name: string; fields: Partial<Secret>; want: string[] }[] = [
    { name: 'a type of somebody', fields: { type: 'example.com/own' }, want: [] },
    {
      name: 'tls',
      fields: withData('kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }),
      want: [],
    },
    {
      name: 'tls without anything',
      fields: withData('kubernetes.io/tls', {}),
      want: ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    },
    {
      name: 'basic-auth with one of both',
      fields: withData('kubernetes.io/basic-auth', { password: '' }),
      want: [],
    },
    {
      name: 'basic-auth without both',
      fields: withData('kubernetes.io/basic-auth', {}),
      want: ['data[username]: Required value', 'data[password]: Required value'],
    },
    {
      name: 'ssh-auth with an empty key',
      fields: withData('kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }),
      want: ['data[ssh-privatekey]: Required value'],
    },
    {
      name: 'dockercfg',
      fields: withData('kubernetes.io/dockercfg', { '.dockercfg': '{}' }),
      want: [],
    },
    {
      name: 'dockercfg without it',
      fields: withData('kubernetes.io/dockercfg', {}),
      want: ['data[.dockercfg]: Required value'],
    },
    {
      name: 'dockercfg that is a list',
      fields: withData('kubernetes.io/dockercfg', { '.dockercfg': '[1]' }),
      want: [
        `data[.dockercfg]: ${REDACTED}: json: cannot unmarshal array into Go value of type map[string]interface {}`,
      ],
    },
    {
      name: 'dockerconfigjson that is null',
      fields: withData('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': 'null' }),
      want: [],
    },
    {
      name: 'dockerconfigjson that is a number',
      fields: withData('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '12' }),
      want: [
        `data[.dockerconfigjson]: ${REDACTED}: json: cannot unmarshal number into Go value of type map[string]interface {}`,
      ],
    },
    {
      name: 'dockerconfigjson that is empty',
      fields: withData('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '' }),
      want: [`data[.dockerconfigjson]: ${REDACTED}: unexpected end of JSON input`],
    },
    {
      name: 'dockerconfigjson with more behind it',
      fields: withData('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': '{} x' }),
      want: [`data[.dockerconfigjson]: ${REDACTED}: invalid character 'x' after top-level value`],
    },
    {
      name: 'a token of no service account',
      fields: { type: 'kubernetes.io/service-account-token' },
      want: ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    },
    {
      name: 'too much data',
      fields: withData('Opaque', { a: 'x'.repeat(1024 * 1024), b: 'x' }),
      want: ['data: Too long: may not be more than 1048576 bytes'],
    },
  ];
  for (const { name, fields, want } of cases) {
    test(name, () => {
      assert.deepEqual(validateSecret(secret(fields)).map(fieldErrorText), want);
    });
  }
});

const hooks = secretKind.versions.get('v1')?.hooks;

describe('updates of Secrets', () => {
  const FORBIDDEN = 'Forbidden: field is immutable when `immutable` is set';
  const data = { a: base64('1') };
  const cases: { name: string; live: Partial<Secret>; next: Partial<Secret>; want: string[] }[] = [
    {
      name: 'the type stays',
      live: { type: 'a/b' },
      next: {},
      want: ['type: Invalid value: "Opaque": field is immutable'],
    },
    {
      name: 'an immutable one stays as it is',
      live: { immutable: true, data },
      next: { data: { a: base64('2') } },
      want: [`immutable: ${FORBIDDEN}`, `data: ${FORBIDDEN}`],
    },
    { name: 'one becomes immutable', live: { data }, next: { immutable: true }, want: [] },
  ];
  for (const { name, live, next, want } of cases) {
    test(name, () => {
      const found = foundNow(hooks?.validateUpdate(secret(next), secret(live)));
      assert.deepEqual(found.map(fieldErrorText), want);
    });
  }
});

test('stringData overwrites data', () => {
  const object = secret({
    data: { a: base64('data'), c: base64('c') },
    stringData: JSON.parse('{"b":"ä","a":"text","__proto__":"own"}') as Record<string, string>,
  });
  hooks?.applyDefaults(object);
  assert.deepEqual(Object.entries(object.data ?? {}), [
    ['__proto__', base64('own')],
    ['a', base64('text')],
    ['b', base64('ä')],
    ['c', base64('c')],
  ]);
  assert.equal('stringData' in object, false);
});

test('a Secret without a type is Opaque', () => {
  const object = secret({ type: '' });
  hooks?.applyDefaults(object);
  assert.equal(object.type, 'Opaque');
});

describe('warnings about a key pair', () => {
  const pem = (label: string, body = 'AAAA') =>
    `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  /** A certificate of CN=eve whose key is lost. */
  const EVE = `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIUEyVZHk/2qD2focISuVst1spkPYUwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDZXZlMCAXDTI2MTExNjAzNDM1OVoYDzIxMjYxMDIzMDM0MzU5
WjAOMQwwCgYDVQQDDANldmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARs2Grs
ALWbSb5sXYOBaiSKkGUm6eI0Ue6hXGFgKyC0UyyFTq/vy9CqEttfvJ7L+IgsIjIK
eV4XGeRNmXXJnQPyo1MwUTAdBgNVHQ4EFgQUP4dk7fDz15Wtc4ZyjV9zysZ3hwAw
HwYDVR0jBBgwFoAUP4dk7fDz15Wtc4ZyjV9zysZ3hwAwDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiB3rHVyiAXspSRpQvuAAlBMA+nNrwCHphjnskM4
CgHaowIhAJn1bQSJsNBX7YTOuWV3UVqav2hdxrgqISzFUORnaO9F
-----END CERTIFICATE-----
`;
  const { privateKey: ofItsKind } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ownKeys = {
    PKCS8: ofItsKind.export({ type: 'pkcs8', format: 'pem' }).toString(),
    SEC1: ofItsKind.export({ type: 'sec1', format: 'pem' }).toString(),
  };
  const cases = [
    {
      name: 'nothing',
      certificate: '',
      key: '',
      want: 'tls: failed to find any PEM data in certificate input',
    },
    {
      name: 'the key for the certificate',
      certificate: privateKey,
      key: '',
      want: 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    },
    {
      name: 'something else for the certificate',
      certificate: pem('X') + pem('Y'),
      key: '',
      want: 'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [X Y]',
    },
    {
      name: 'no key',
      certificate: pem('CERTIFICATE'),
      key: 'x',
      want: 'tls: failed to find any PEM data in key input',
    },
    {
      name: 'a certificate for the key',
      certificate: pem('CERTIFICATE'),
      key: pem('CERTIFICATE'),
      want: 'tls: found a certificate rather than a key in the PEM for the private key',
    },
    {
      name: 'something else for the key',
      certificate: pem('CERTIFICATE'),
      key: pem('X'),
      want: 'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [X]',
    },
    {
      name: 'a certificate that cannot be read',
      certificate: pem('CERTIFICATE'),
      key: privateKey,
      want: 'x509: malformed certificate',
    },
    {
      name: 'an encrypted key',
      certificate: EVE,
      key: pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AAAA\n\nMIIB'),
      want: 'tls: failed to parse private key',
    },
    {
      name: 'a key of another kind, by another name and with headers',
      certificate: EVE,
      key: privateKey
        .replaceAll('PRIVATE', 'RSA PRIVATE')
        .replace('KEY-----\n', 'KEY-----\nA-B: c\n\n'),
      want: 'tls: private key type does not match public key type',
    },
  ];
  for (const { name, certificate, key, want } of cases) {
    test(name, () => {
      const data = { 'tls.crt': base64(certificate), 'tls.key': base64(key) };
      assert.deepEqual(keyPairWarnings(data), [want]);
    });
  }

  for (const [name, key] of Object.entries(ownKeys)) {
    test(`another key of the certificate’s kind, as ${name}`, () => {
      const data = { 'tls.crt': base64(EVE), 'tls.key': base64(key) };
      assert.deepEqual(keyPairWarnings(data), ['tls: private key does not match public key']);
    });
  }
});
