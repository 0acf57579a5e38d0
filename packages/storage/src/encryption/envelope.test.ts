import assert from 'node:assert/strict';
import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { envelopeHead, isKeyName, isReserved, open, originOf, seal } from './envelope.ts';

/** Written by the transformers of k8s.io/apiserver v0.36.3, one for each length of a secret. */
const WRITTEN_BY_KUBE_APISERVER = [
  {
    keyName: 'key32',
    secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    demo: 'azhzOmVuYzphZXNnY206djE6a2V5MzI6xz7vMK3OJivQi7V2VbygkschFG/+JNnE4ynElatHQ9qMmIMjkQnVG8U2qaVqdPdf/zgf8ALZuN5qI8L0juDHURk1HWtf',
    empty: 'azhzOmVuYzphZXNnY206djE6a2V5MzI6D6ADRSI6hiFUOC0ly6r02m5FxyzqaHBIwCytow==',
  },
  {
    keyName: 'key24',
    secret: 'ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7',
    demo: 'azhzOmVuYzphZXNnY206djE6a2V5MjQ6ryz/AFcN8YHI1OGg/ptlIaywCj21OU2FWMpnONqz+I37/QSu6gKaQzv/T6HfiiK9Ywwmw4B4URhLXFAeW8kp/Dvr9vtd',
    empty: 'azhzOmVuYzphZXNnY206djE6a2V5MjQ6nRAMI3wUJX7F70WXnEsiiVUa79jXHyDWzt6Bww==',
  },
  {
    keyName: 'key16',
    secret: 'c2VjcmV0IGlzIHNlY3VyZQ==',
    demo: 'azhzOmVuYzphZXNnY206djE6a2V5MTY6ZP1e9BM9n6iNHRD2NWy6uE6YX0k3alDFao2U3lT0Ocww33Jcpc4tlJppbG631oFJJMPJjqvAP0Gbyk0wZQDwHYrQldSj',
    empty: 'azhzOmVuYzphZXNnY206djE6a2V5MTY6qtN/YLEztARYMSmhVpXdTkGY6Xt3V/cA0x+klw==',
  },
];
const DEMO = '{"kind":"Secret","data":{"a":"aGVsbG8="}}';

describe('values of kube-apiserver', () => {
  for (const { keyName, secret, demo, empty } of WRITTEN_BY_KUBE_APISERVER) {
    const values = [
      { storageKey: '/registry/secrets/default/demo', written: demo, plain: DEMO },
      { storageKey: '/registry/secrets/default/empty', written: empty, plain: '' },
    ];
    for (const { storageKey, written, plain } of values) {
      test(`${keyName} opens ${storageKey}`, () => {
        const sealed = Buffer.from(written, 'base64');
        assert.deepEqual(originOf(sealed), { kind: 'key', name: keyName });
        const head = envelopeHead(keyName);
        const value = open(sealed, { secret: secretOf(secret), head, storageKey });
        assert.equal(value && Buffer.from(value).toString(), plain);
      });

      test(`${keyName} seals ${storageKey} to the same bytes`, () => {
        const expected = Buffer.from(written, 'base64');
        const head = envelopeHead(keyName);
        const nonce = expected.subarray(head.byteLength, head.byteLength + 12);
        const sealing = { secret: secretOf(secret), head, nonce, storageKey };
        const sealed = seal(Buffer.from(plain), sealing);
        assert.deepEqual(Buffer.from(sealed), expected);
      });
    }
  }
});

test('the format is the head, the nonce, the ciphertext and the tag', () => {
  const secret = createSecretKey(randomBytes(32));
  const [nonce, storageKey, value] = [randomBytes(12), '/registry/ä', Buffer.from('some value')];
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(storageKey));
  const ciphertext = Buffer.concat([cipher.update(value), cipher.final()]);
  const head = Buffer.from('k8s:enc:aesgcm:v1:key1:');
  assert.deepEqual(
    Buffer.from(seal(value, { secret, head: envelopeHead('key1'), nonce, storageKey })),
    Buffer.concat([head, nonce, ciphertext, cipher.getAuthTag()]),
  );
});

/** Keys that the contract allows. */
const storageKeys = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
const secrets = fc
  .constantFrom(16, 24, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  .map((bytes) => createSecretKey(bytes));
const nonces = fc.uint8Array({ minLength: 12, maxLength: 12 });
const values = fc.uint8Array({ maxLength: 2000, size: 'max' });

test('an encrypted value decrypts to the same bytes and does not contain them', () => {
  fc.assert(
    fc.property(values, secrets, nonces, storageKeys, (value, secret, nonce, storageKey) => {
      const head = envelopeHead('key1');
      const sealed = seal(value, { secret, head, nonce, storageKey });
      const opened = open(sealed, { secret, head, storageKey });
      assert.ok(opened && Buffer.compare(opened, value) === 0);
      const ciphertext = Buffer.from(sealed.subarray(head.byteLength + 12));
      for (let at = 0; at + 8 <= value.byteLength; at += 8) {
        const part = Buffer.from(value.subarray(at, at + 8));
        assert.ok(!ciphertext.includes(part), 'eight bytes of the value are readable');
      }
    }),
  );
});

test('a flipped bit of the nonce, the ciphertext or the tag is detected', () => {
  const secret = createSecretKey(randomBytes(32));
  const [head, nonce, storageKey] = [envelopeHead('key1'), randomBytes(12), 'a'];
  const sealed = seal(Buffer.from(DEMO), { secret, head, nonce, storageKey });
  for (let bit = head.byteLength * 8; bit < sealed.byteLength * 8; bit += 1) {
    const damaged = Uint8Array.from(sealed);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(open(damaged, { secret, head, storageKey }), undefined, `bit ${bit}`);
  }
  assert.ok(open(sealed, { secret, head, storageKey }));
});

test('a shortened value, another secret or another key is detected', () => {
  const secret = createSecretKey(randomBytes(32));
  const [head, nonce, storageKey] = [envelopeHead('key1'), randomBytes(12), '/registry/a'];
  const sealed = seal(Buffer.from(DEMO), { secret, head, nonce, storageKey });
  for (let length = head.byteLength; length < sealed.byteLength; length += 1) {
    const shortened = sealed.subarray(0, length);
    assert.equal(open(shortened, { secret, head, storageKey }), undefined, `${length} bytes`);
  }
  assert.equal(open(sealed, { secret, head, storageKey: '/registry/b' }), undefined);
  const other = createSecretKey(randomBytes(32));
  assert.equal(open(sealed, { secret: other, head, storageKey }), undefined);
});

test('the form of a value follows from its first bytes', () => {
  const cases: readonly [text: string, kind: string, name?: string][] = [
    ['', 'plain'],
    ['{"kind":"Secret"}', 'plain'],
    ['k8s\0protobuf', 'plain'],
    ['k8s:enc', 'plain'],
    ['k8s:enc:', 'damaged'],
    ['k8s:enc:aescbc:', 'damaged'],
    ['k8s:enc:aescbc:v1:key1:xyz', 'foreign', 'aescbc:v1'],
    ['k8s:enc:aesgcm:v2:key1:xyz', 'foreign', 'aesgcm:v2'],
    ['k8s:enc:aesgcm:v1:key1', 'damaged'],
    ['k8s:enc:aesgcm:v1::xyz', 'damaged'],
    ['k8s:enc:aesgcm:v1:\u0001\u0002:xyz', 'damaged'],
    ['k8s:enc:\u0001\u0002:v1:xyz', 'damaged'],
    ['k8s:enc:::xyz', 'damaged'],
    ['k8s:enc:aesgcm:v1:key1:', 'key', 'key1'],
    ['k8s:enc:aesgcm:v1:schlüssel 2:xyz:', 'key', 'schlüssel 2'],
  ];
  for (const [text, kind, name] of cases) {
    const origin = originOf(Buffer.from(text));
    assert.equal(origin.kind, kind, text);
    if (origin.kind === 'foreign') assert.equal(origin.provider, name, text);
    if (origin.kind === 'key') assert.equal(origin.name, name, text);
    assert.equal(isReserved(Buffer.from(text)), kind !== 'plain', text);
  }
});

test('names of keys have no colon and fit in one line', () => {
  for (const name of ['key1', '2026-01', 'a b', 'ü', 'x'.repeat(253)]) assert.ok(isKeyName(name));
  for (const name of ['', 'a:b', 'a\nb', 'a\0', 'x'.repeat(254)]) assert.ok(!isKeyName(name));
});

function secretOf(base64: string): ReturnType<typeof createSecretKey> {
  return createSecretKey(Buffer.from(base64, 'base64'));
}
