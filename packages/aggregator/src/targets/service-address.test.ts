import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Targets } from '@tributary/proxy';
import { serviceAddress } from './service-address.ts';

const service = { namespace: 'ns', name: 'hook', port: 443 };
const target = (host: string) => ({ host, port: 8443, serverName: 'hook.ns.svc' });

test('one of those who answer is chosen', () => {
  const found = { targets: [target('a'), target('b')] };
  const hosts = new Set(
    Array.from({ length: 100 }, () => serviceAddress({ find: () => found }, service).host),
  );
  assert.deepEqual([...hosts].sort(), ['a', 'b']);
});

describe('why nobody answers', () => {
  const problem = (reason: string): Targets => ({
    problem: { status: 'False', reason, message: 'no endpoints' },
  });
  const rows: readonly [string, Targets | undefined, RegExp][] = [
    ['nothing is known yet', undefined, /not known yet/],
    ['there is no such service', problem('ServiceNotFound'), /^Error: service "hook" not found$/],
    ['it has no endpoints', problem('MissingEndpoints'), /no endpoints/],
    ['there is none at all', { targets: [] }, /no endpoints available for service "hook"/],
  ];
  for (const [name, found, why] of rows) {
    test(name, () => {
      const targets = found && { find: () => found };
      assert.throws(() => serviceAddress(targets, service), why);
    });
  }
});
