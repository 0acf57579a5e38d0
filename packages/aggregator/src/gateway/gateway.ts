import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { systemClock } from '@tributary/client';
import type { CoreAddition, StartedCore } from '@tributary/core-server';
import type { Logger } from '@tributary/server';
import { reloadFiles } from '@tributary/server/program';
import { fileDocumentStore } from '../documents/file-document-store.ts';
import { type Gateway, gatewayExtension } from './gateway-extension.ts';
import { type GatewayFlags, gatewayFlags } from './gateway-flags.ts';
import type { Samples } from './samples/start-samples.ts';

/** The aggregator as a part of the control plane's program. */
export const gateway: CoreAddition<typeof gatewayFlags> = {
  summary: 'A Kubernetes control plane with an API aggregator, in one process.',
  flags: gatewayFlags,
  prepare: async (flags, log) => {
    const samples = flags.sample.length === 0 ? undefined : await findSamples(flags, log);
    const owned = new AsyncDisposableStack();
    const documents = owned.use(
      fileDocumentStore(join(flags.dataDir, 'aggregator'), { log, clock: systemClock }),
    );
    const identity = owned.use(await frontProxyIdentity(flags, log));
    const place: { started?: StartedCore & { readonly ca: string } } = {};
    let current: Gateway | undefined;
    identity.onChange(() => current?.identityChanged());
    return {
      extend: (surroundings) => {
        current = gatewayExtension(
          {
            documents,
            identity: () => identity.current,
            rules: {
              routing: flags.enableAggregatorRouting ? 'endpoints' : 'cluster-ip',
              allowLoopback: flags.allowLoopbackEndpoints,
            },
            own: () => place.started && ownAddress(place.started),
            unavailable: flags.unavailableDiscovery,
            keepCurrentMs: flags.unavailableDiscoveryPeriod,
            namespaceDeletion: flags.namespaceDeletion,
            namespaceDeletionGraceMs: flags.namespaceDeletionGrace,
            rejectsRedirects: flags.aggregatorRejectForwardingRedirect,
          },
          surroundings,
        );
        const { extension } = current;
        return {
          ...extension,
          close: async () => {
            await samples?.close(); // while there is still somebody to pass their last requests on
            await extension.close();
          },
        };
      },
      started: async (started) => {
        place.started = { ...started, ca: await readFile(flags.rootCaFile, 'utf8') };
        return samples?.start(started) ?? [];
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
};

/** Loaded only where somebody asks for them. */
async function findSamples(flags: GatewayFlags, log: Logger): Promise<Samples> {
  const { prepareSamples } = await import('./samples/start-samples.ts');
  return prepareSamples(flags, log);
}

function ownAddress({ server, ca }: StartedCore & { readonly ca: string }) {
  const { hostname, port } = new URL(server.url);
  return { url: server.url, ca, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

export interface FrontProxyIdentity extends Disposable {
  readonly current: { readonly cert: string; readonly key: string };
  onChange(hear: () => void): void;
}

/** The certificate by which other servers know this one, read again when its files change. */
export async function frontProxyIdentity(
  flags: Pick<GatewayFlags, 'proxyClientCertFile' | 'proxyClientKeyFile'>,
  log: Logger,
): Promise<FrontProxyIdentity> {
  const paths = [flags.proxyClientCertFile, flags.proxyClientKeyFile];
  const [cert = '', key = ''] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  let current = { cert, key };
  let hear = () => {};
  const files = await reloadFiles(
    {
      name: 'front-proxy client certificate',
      paths,
      apply: ([newCert = '', newKey = '']) => {
        requirePair(newCert, newKey);
        current = { cert: newCert, key: newKey };
        hear();
      },
    },
    { log },
  );
  requirePair(cert, key);
  return {
    get current() {
      return current;
    },
    onChange: (listener) => {
      hear = listener;
    },
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}

/** Throws when the key is not that of the certificate. */
function requirePair(cert: string, key: string): void {
  createSecureContext({ cert, key });
}
