import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShared, parseStandaloneFlags } from './standalone-flags.ts';

const PAIR = ['--tls-cert-file=a.crt', '--tls-private-key-file=a.key'];

const cases: { name: string; args: string[]; want: 'one' | 'many' | RegExp }[] = [
  { name: 'nothing said', args: [], want: 'one' },
  { name: 'another loopback address', args: ['--bind-address=127.0.0.2'], want: 'one' },
  { name: 'IPv6', args: ['--bind-address', '::1'], want: 'one' },
  {
    name: 'everywhere',
    args: ['--bind-address=0.0.0.0'],
    want: /for one user listens on a loopback/,
  },
  { name: 'a name', args: ['--bind-address=localhost'], want: /--bind-address localhost: / },
  { name: 'a certificate', args: PAIR, want: 'many' },
  { name: 'a certificate, everywhere', args: [...PAIR, '--bind-address=0.0.0.0'], want: 'many' },
  { name: 'a certificate without its key', args: PAIR.slice(0, 1), want: /must be set together/ },
  { name: 'a CA of clients alone', args: ['--client-ca-file=a'], want: /needs --tls-cert-file/ },
  {
    name: 'a front proxy alone',
    args: ['--requestheader-client-ca-file=a'],
    want: /needs --tls-cert-file/,
  },
  { name: 'half a pair', args: ['--proxy-client-key-file=a'], want: /go together/ },
  { name: 'anonymous users', args: ['--anonymous-auth=true'], want: /anonymous-auth/ },
  { name: 'a file of tokens', args: ['--token-auth-file=a'], want: /token-auth-file/ },
];

for (const { name, args, want } of cases) {
  test(`${name}: ${want}`, () => {
    const parse = () => parseStandaloneFlags('tributary aggregator', args);
    if (want instanceof RegExp) return assert.throws(parse, want);
    const flags = parse();
    assert.ok(flags !== 'help');
    return assert.equal(isShared(flags) ? 'many' : 'one', want);
  });
}

test('what it is when nobody says otherwise', () => {
  const flags = parseStandaloneFlags('tributary aggregator', []);
  assert.ok(flags !== 'help');
  const { bindAddress, securePort, dataDir, storage, allowLoopbackEndpoints } = flags;
  assert.deepEqual(
    { bindAddress, securePort, dataDir, storage, allowLoopbackEndpoints },
    {
      bindAddress: '127.0.0.1',
      securePort: 6444,
      dataDir: '.tributary-aggregator',
      storage: 'sqlite',
      allowLoopbackEndpoints: false,
    },
  );
});
