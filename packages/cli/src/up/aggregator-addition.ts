import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileDocumentStore } from '@tributary/aggregator';
import { systemClock } from '@tributary/client';
import type { CoreAddition, StartedCore } from '@tributary/core-server';
import type { Logger } from '@tributary/server';
import { frontProxyIdentity } from '../aggregation/front-proxy-identity.ts';
import type { Samples } from '../samples/start-samples.ts';
import { type AggregatorExtension, aggregatorExtension } from './aggregator-extension.ts';
import { type UpFlags, upFlags } from './up-flags.ts';

/** The aggregator as a part of the control plane's program. */
export const aggregatorAddition: CoreAddition<typeof upFlags> = {
  summary: 'A Kubernetes control plane with an API aggregator, in one process.',
  flags: upFlags,
  prepare: async (flags, log) => {
    const samples = flags.sample.length === 0 ? undefined : await prepareSamples(flags, log);
    const owned = new AsyncDisposableStack();
    const documents = owned.use(
      fileDocumentStore(join(flags.dataDir, 'aggregator'), { log, clock: systemClock }),
    );
    const identity = owned.use(await frontProxyIdentity(flags, log));
    let address: ReturnType<typeof addressOf> | undefined;
    let current: AggregatorExtension | undefined;
    identity.onChange(() => current?.identityChanged());
    return {
      extend: (dependencies) => {
        current = aggregatorExtension(
          {
            documents,
            identity: () => identity.current,
            rules: {
              routing: flags.enableAggregatorRouting ? 'endpoints' : 'cluster-ip',
              allowLoopback: flags.allowLoopbackEndpoints,
            },
            localAddress: () => address,
            unavailable: flags.unavailableDiscovery,
            keepCurrentMs: flags.unavailableDiscoveryPeriod,
            namespaceDeletion: flags.namespaceDeletion,
            namespaceDeletionGraceMs: flags.namespaceDeletionGrace,
            rejectsRedirects: flags.aggregatorRejectForwardingRedirect,
          },
          dependencies,
        );
        const { extension } = current;
        return {
          ...extension,
          close: async () => {
            await samples?.close(); // their last requests still go through the aggregator
            await extension.close();
          },
        };
      },
      started: async (started) => {
        address = addressOf(started, await readFile(flags.rootCaFile, 'utf8'));
        return samples?.start(started) ?? [];
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
};

/** Loads the samples' code only when the flag names one. */
async function prepareSamples(flags: UpFlags, log: Logger): Promise<Samples> {
  const samples = await import('../samples/start-samples.ts');
  return samples.prepareSamples(flags, log);
}

function addressOf({ server }: StartedCore, ca: string) {
  const { hostname, port } = new URL(server.url);
  return { url: server.url, ca, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}
