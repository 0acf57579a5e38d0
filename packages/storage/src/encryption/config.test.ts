import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { EncryptionConfigInvalid, parseEncryptionConfig } from './config.ts';

const SECRET_16 = Buffer.alloc(16, 'a').toString('base64');
const SECRET_24 = Buffer.alloc(24, 'b').toString('base64');
const SECRET_32 = Buffer.alloc(32, 'c').toString('base64');

const key1 = { name: 'key1', secret: SECRET_32 };
const aesgcm = { aesgcm: { keys: [key1] } };
const identity = { identity: {} };

function file(...resources: unknown[]): unknown {
  return { kind: 'EncryptionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1', resources };
}
function named(...names: unknown[]): unknown {
  return file({ resources: names, providers: [aesgcm] });
}
function provided(...providers: unknown[]): unknown {
  return file({ resources: ['secrets'], providers });
}
function keyed(...keys: unknown[]): unknown {
  return provided({ aesgcm: { keys } });
}

test('a file is read entry by entry', () => {
  const config = parseEncryptionConfig(
    file(
      { resources: ['events'], providers: [identity] },
      {
        resources: ['secrets', 'flunders.wardle.example.com'],
        providers: [
          { aesgcm: { keys: [{ name: 'new', secret: SECRET_16 }, key1] } },
          identity,
          { aesgcm: { keys: [{ name: 'old', secret: `${SECRET_24}\n` }] } },
        ],
      },
      { resources: ['*.apps', '*.'], providers: [aesgcm] },
      { resources: ['*.*'], providers: [aesgcm, { identity: {}, kms: null }] },
    ),
  );
  const summary = config.resources.map(({ resources, providers }) => ({
    resources: resources.map(({ group, resource }) => `${group}/${resource}`),
    providers: providers.map((provider) =>
      provider.kind === 'identity'
        ? 'identity'
        : provider.keys.map(({ name, secret }) => `${name} ${secret.symmetricKeySize}`),
    ),
  }));
  assert.deepEqual(summary, [
    { resources: ['/events'], providers: ['identity'] },
    {
      resources: ['/secrets', 'wardle.example.com/flunders'],
      providers: [['new 16', 'key1 32'], 'identity', ['old 24']],
    },
    { resources: ['apps/*', '/*'], providers: [['key1 32']] },
    { resources: ['*/*'], providers: [['key1 32'], 'identity'] },
  ]);
});

test('a configuration prints without its secrets', () => {
  const config = parseEncryptionConfig(provided(aesgcm));
  const printed = inspect(config, { depth: 20 }) + JSON.stringify(config);
  assert.match(printed, /key1/);
  assert.ok(!printed.includes(SECRET_32) && !printed.includes('ccccccc'));
});

const objections: readonly { name: string; document: unknown; want: readonly string[] }[] = [
  {
    name: 'nothing',
    document: undefined,
    want: ['document: Invalid value: "null": must be an object'],
  },
  { name: 'a list', document: [], want: ['document: Invalid value: "array": must be an object'] },
  {
    name: 'an empty object',
    document: {},
    want: [
      'kind: Required value',
      'apiVersion: Required value',
      'resources: Required value: at least one entry is required',
    ],
  },
  {
    name: 'another kind and version',
    document: {
      ...(file({ resources: ['a'], providers: [identity] }) as object),
      kind: 'EncryptionConfig',
      apiVersion: 'v1',
    },
    want: [
      'kind: Unsupported value: "EncryptionConfig": supported values: "EncryptionConfiguration"',
      'apiVersion: Unsupported value: "v1": supported values: "apiserver.config.k8s.io/v1"',
    ],
  },
  {
    name: 'unknown fields everywhere',
    document: {
      ...(file({
        resources: ['a'],
        providers: [
          { aesgcm: { keys: [{ ...key1, size: 3 }], cipher: 'x' } },
          { identity: { really: true } },
          { rot13: {}, identity: {} },
        ],
        comment: 'x',
      }) as object),
      metadata: {},
    },
    want: [
      'metadata: Forbidden: unknown field',
      'resources[0].comment: Forbidden: unknown field',
      'resources[0].providers[0].aesgcm.cipher: Forbidden: unknown field',
      'resources[0].providers[0].aesgcm.keys[0].size: Forbidden: unknown field',
      'resources[0].providers[1].identity.really: Forbidden: unknown field',
      'resources[0].providers[2].rot13: Forbidden: unknown field',
    ],
  },
  {
    name: 'values of other types, without their content',
    document: file(
      'secrets',
      { resources: 'secrets', providers: { secret: SECRET_32 } },
      { resources: [7], providers: [{ aesgcm: SECRET_32 }, { aesgcm: { keys: SECRET_32 } }] },
    ),
    want: [
      'resources[0]: Invalid value: "string": must be an object',
      'resources[1].resources: Invalid value: "string": must be a list',
      'resources[1].providers: Invalid value: "object": must be a list',
      'resources[2].resources[0]: Invalid value: "number": must be a string',
      'resources[2].providers[0].aesgcm: Invalid value: "string": must be an object',
      'resources[2].providers[1].aesgcm.keys: Invalid value: "string": must be a list',
    ],
  },
  {
    name: 'a field that is no prototype',
    document: JSON.parse(`{"__proto__": ${JSON.stringify(provided(identity))}}`),
    want: [
      '__proto__: Forbidden: unknown field',
      'kind: Required value',
      'apiVersion: Required value',
      'resources: Required value: at least one entry is required',
    ],
  },
  {
    name: 'no resources and no providers',
    document: file({ resources: [], providers: [] }),
    want: [
      'resources[0].resources: Required value: at least one resource is required',
      'resources[0].providers: Required value: at least one provider is required',
    ],
  },
  {
    name: 'a provider without a name',
    document: provided({}),
    want: [
      'resources[0].providers[0]: Invalid value: []: provider does not contain any of the expected providers: aesgcm, identity',
    ],
  },
  {
    name: 'two providers in one element',
    document: provided({ ...aesgcm, ...identity }),
    want: [
      'resources[0].providers[0]: Invalid value: ["aesgcm","identity"]: more than one provider specified in a single element, should split into different list elements',
    ],
  },
  {
    name: 'providers that we do not have',
    document: provided({ aescbc: { keys: [key1] } }, { secretbox: {} }, { kms: { name: 'x' } }),
    want: [
      'resources[0].providers[0].aescbc: Forbidden: the aescbc provider is not supported: it does not notice changed bytes; use aesgcm',
      'resources[0].providers[1].secretbox: Forbidden: the secretbox provider is not supported: Node.js has no XSalsa20; use aesgcm',
      'resources[0].providers[2].kms: Forbidden: the kms provider is not supported; use aesgcm with keys that your deployment hands out',
    ],
  },
  {
    name: 'keys without a name or a secret',
    document: keyed({ secret: SECRET_16 }, { name: 'a' }, { name: 'b', secret: '' }),
    want: [
      'resources[0].providers[0].aesgcm.keys[0].name: Required value',
      'resources[0].providers[0].aesgcm.keys[1].secret: Required value',
      'resources[0].providers[0].aesgcm.keys[2].secret: Required value',
    ],
  },
  {
    name: 'secrets that are not base64',
    document: keyed({ name: 'a', secret: '%' }, { name: 'b', secret: SECRET_32.slice(0, -1) }),
    want: [
      'resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
      'resources[0].providers[0].aesgcm.keys[1].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
    ],
  },
  {
    name: 'secrets of other lengths',
    document: keyed({ name: 'a', secret: 'eA==' }),
    want: [
      'resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 1, expected one of [16 24 32]',
    ],
  },
  {
    name: 'names of keys that cannot stand in a value',
    document: keyed({ name: 'a:b', secret: SECRET_16 }),
    want: [
      'resources[0].providers[0].aesgcm.keys[0].name: Invalid value: "a:b": must have no \':\' and no control characters, and at most 253 characters',
    ],
  },
  {
    name: 'one name for two keys, also of two providers',
    document: provided({ aesgcm: { keys: [key1, key1] } }, identity, aesgcm),
    want: [
      'resources[0].providers[0].aesgcm.keys[1].name: Duplicate value: "key1"',
      'resources[0].providers[2].aesgcm.keys[0].name: Duplicate value: "key1"',
    ],
  },
  {
    name: 'a star alone',
    document: named('*'),
    want: [
      'resources[0].resources[0]: Invalid value: "*": use \'*.\' to encrypt all the resources from core API group or *.* to encrypt all resources',
    ],
  },
  {
    name: 'capital letters',
    document: named('Secrets'),
    want: [
      'resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters',
    ],
  },
  {
    name: 'one resource in all groups',
    document: named('secrets.*'),
    want: [
      'resources[0].resources[0]: Invalid value: "secrets.*": encrypting the same resource across groups is not supported',
    ],
  },
  {
    name: 'resources without a REST API',
    document: named('serviceipallocations'),
    want: [
      'resources[0].resources[0]: Invalid value: "serviceipallocations": resources which do not have REST API/s cannot be encrypted',
    ],
  },
  {
    name: 'groups that are stored under another group',
    document: named('events.events.k8s.io', 'ingresses.extensions'),
    want: [
      "resources[0].resources[0]: Invalid value: \"events.events.k8s.io\": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
      'resources[0].resources[1]: Invalid value: "ingresses.extensions": \'extensions\' group has been removed and cannot be used for encryption',
    ],
  },
  ...['pods/log', '*s.apps', '.apps', 'a.b c', '*.*.apps', ' secrets', 'secrets.-x'].map(
    (name) => ({
      name: `a name that nothing has: ${name}`,
      document: named(name),
      want: [
        `resources[0].resources[0]: Invalid value: ${JSON.stringify(name)}: must be 'resource', 'resource.group', '*.group', '*.' or '*.*'`,
      ],
    }),
  ),
  {
    name: 'a resource twice in a list',
    document: named('secrets', 'secrets.'),
    want: [
      'resources[0].resources: Invalid value: ["secrets","secrets."]: the same resource cannot be specified multiple times',
    ],
  },
  ...[
    ['*.apps', 'deployments.apps'],
    ['secrets', '*.'],
    ['pods', '*.*'],
    ['*.*', '*.apps'],
  ].map((names) => ({
    name: `names that overlap: ${names}`,
    document: named(...names),
    want: [
      `resources[0].resources: Invalid value: ${JSON.stringify(names)}: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`,
    ],
  })),
  {
    name: 'entries behind a wildcard that takes their resources',
    document: file(
      { resources: ['*.'], providers: [identity] },
      { resources: ['secrets', '*.apps'], providers: [aesgcm] },
      { resources: ['*.*'], providers: [aesgcm] },
      { resources: ['deployments.apps', 'a.b'], providers: [aesgcm] },
    ),
    want: [
      'resources[1].resources[0]: Invalid value: "secrets": the resource is masked by the earlier rule "*." at resources[0].resources[0]',
      'resources[3].resources[0]: Invalid value: "deployments.apps": the resource is masked by the earlier rule "*.apps" at resources[1].resources[1]',
      'resources[3].resources[1]: Invalid value: "a.b": the resource is masked by the earlier rule "*.*" at resources[2].resources[0]',
    ],
  },
];

describe('objections name the place and hold no secret', () => {
  for (const { name, document, want } of objections) {
    test(name, () => {
      const error = errorOf(() => parseEncryptionConfig(document));
      assert.ok(error instanceof EncryptionConfigInvalid, `${error}`);
      const joined = want.length === 1 ? want.join('') : `[${want.join(', ')}]`;
      assert.equal(error.message, `the encryption configuration is not valid: ${joined}`);
      assert.equal(error.errors.length, want.length);
      for (const secret of [SECRET_16, SECRET_24, SECRET_32]) {
        assert.ok(!inspect(error, { depth: 20 }).includes(secret.slice(0, 8)));
      }
    });
  }
});

test('the same resource may stand in two entries', () => {
  const entry = { resources: ['secrets'], providers: [aesgcm] };
  assert.equal(parseEncryptionConfig(file(entry, entry)).resources.length, 2);
});

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
