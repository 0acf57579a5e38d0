import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlagError, helpText, parseServerFlags, serverFlagTable } from './flags.ts';

test('every flag has a default and can be set', () => {
  const flags = parseServerFlags('wardle', []);
  assert.deepEqual(flags, {
    securePort: 6443,
    bindAddress: '127.0.0.1',
    dataDir: '.wardle',
    storage: 'memory',
    encryptionProviderConfig: '',
    memoryLimit: undefined,
    tlsCertFile: '',
    tlsPrivateKeyFile: '',
    clientCaFile: '',
  });
  assert.equal(serverFlagTable('wardle').length, Object.keys(flags).length);
  const set = parseServerFlags('wardle', ['--secure-port=0', '--memory-limit', '2Gi']);
  assert.ok(set !== 'help' && set.securePort === 0 && set.memoryLimit === 2 * 2 ** 30);
});

const wrong = [
  { args: ['--secure-port=http'], says: /--secure-port http: a port is a number/ },
  { args: ['--secure-port=65536'], says: /a port is a number from 0 to 65535/ },
  { args: ['--no-such-flag'], says: /no-such-flag/ },
  { args: ['extra'], says: /extra/ },
  { args: ['--memory-limit=lots'], says: /--memory-limit lots: a size is/ },
  { args: ['--tls-cert-file=a'], says: /go together/ },
];
for (const { args, says } of wrong) {
  test(`${args.join(' ')} is refused in words`, () => {
    assert.throws(
      () => parseServerFlags('wardle', args),
      (error) => error instanceof FlagError && says.test(error.message),
    );
  });
}

test('help lists every flag with its default', () => {
  assert.equal(parseServerFlags('wardle', ['--help']), 'help');
  const text = helpText('wardle', 'Serves flunders.');
  for (const { name, fallback } of serverFlagTable('wardle')) {
    assert.ok(text.includes(`--${name} `), name);
    assert.ok(text.includes(fallback), name);
  }
});
