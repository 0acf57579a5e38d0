/** The real controllers, restarted while a server behind the aggregator is dead or silent. */
import { describe, test } from 'node:test';
import { requireProgram } from '../../test/harness/index.ts';
import { type AwayOptions, restartedWhileAway } from '../controllers/away.ts';

const cases: readonly (AwayOptions & { readonly name: string })[] = [
  {
    name: 'other kinds are collected and deleted while a server is dead',
    signal: 'SIGKILL',
    // Its collector waits half a minute for the kinds that it was told of, then begins without them.
    collectedWithinMs: 60_000,
    namespaceSays: { type: 'NamespaceDeletionContentFailure', message: /refused/ },
  },
  {
    name: 'other kinds are collected and deleted while a server is silent',
    signal: 'SIGSTOP',
    collectedWithinMs: 60_000,
    namespaceSays: { type: 'NamespaceDeletionContentFailure', message: /timed out waiting/ },
  },
  {
    name: 'nobody waits for a dead server whose documents are called stale',
    signal: 'SIGKILL',
    flags: ['--unavailable-discovery=stale'],
    collectedWithinMs: 20_000,
    namespaceSays: { type: 'NamespaceDeletionDiscoveryFailure', message: /wardle.example.com/ },
  },
];

// Most of the time is the real ones' waiting, so each case has servers of its own and they wait together.
describe('controllers that are restarted while a server is away', { concurrency: true }, () => {
  for (const { name, ...options } of cases) {
    test(name, async (t) => {
      if ((await requireProgram(t, 'go')) === undefined) return;
      await restartedWhileAway(t, options);
    });
  }
});
