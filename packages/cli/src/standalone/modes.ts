/** For whom the aggregator is: one user, or many. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  followClusterUser,
  type StandaloneOptions,
  sharedAccess,
  singleUserAccess,
  USER_AGENT,
} from '@tributary/aggregator/standalone';
import { type ClientConfig, createClient, systemClock } from '@tributary/client';
import type { Logger, RunningServer, ServerConfig } from '@tributary/server';
import { kubeconfig, standalonePki } from '@tributary/server/pki';
import { writePrivately } from './front-proxy-pki.ts';
import type { StandaloneFlags } from './standalone-flags.ts';

export interface Mode extends AsyncDisposable {
  readonly isSingleUser: boolean;
  readonly access: StandaloneOptions['access'];
  readonly serving: ServerConfig['serving'];
  /** The port is open. Resolves with the kubeconfig that was written, if one was. */
  started(server: RunningServer): Promise<string | undefined>;
  /** The cluster was asked what it has to say in the beginning. */
  whenReady(): Promise<unknown>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NAME = 'tributary-aggregator';

export async function openSingleUserMode(
  flags: StandaloneFlags,
  config: ClientConfig,
  log: Logger,
): Promise<Mode> {
  const directory = join(flags.dataDir, 'pki');
  let pki = await standalonePki(directory, { nowMs: Date.now() });
  const owned = new AsyncDisposableStack();
  const client = owned.use(createClient(config, { userAgent: USER_AGENT }));
  const { transport } = client;
  const user = owned.use(followClusterUser({ config, transport, clock: systemClock, log }));
  const write = (server: RunningServer) =>
    writeKubeconfig(flags, { url: server.url, pki, namespace: config.namespace });
  /** Its certificates are good for a year, and made anew a month before. */
  const renew = async (server: RunningServer): Promise<void> => {
    const made = await standalonePki(directory, { nowMs: Date.now() });
    if (made.ca === pki.ca) return;
    pki = made;
    server.reload({ serving: pki.serving });
    await write(server);
    log.info('Renewed user credential', { dataDir: flags.dataDir });
  };
  const keepRenewed = (server: RunningServer): void => {
    const cancel = systemClock.schedule(DAY_MS, () => {
      renew(server)
        .catch((error: unknown) => log.error(error, 'Renewing user credential failed'))
        .finally(() => keepRenewed(server));
    });
    if (owned.disposed) cancel();
    else owned.defer(cancel);
  };
  return {
    isSingleUser: true,
    access: () => singleUserAccess({ ca: () => pki.ca, user, transport, clock: systemClock }),
    serving: pki.serving,
    started: async (server) => {
      keepRenewed(server);
      return write(server);
    },
    whenReady: () => user.reviewed,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A reader of the file is the user: it is readable by its owner only. */
async function writeKubeconfig(
  { dataDir }: StandaloneFlags,
  {
    url,
    pki,
    namespace,
  }: { url: string; pki: Awaited<ReturnType<typeof standalonePki>>; namespace: string },
): Promise<string> {
  const path = join(dataDir, 'aggregator.kubeconfig');
  const { ca, admin } = pki;
  await writePrivately(path, kubeconfig({ server: url, ca, user: admin, namespace, name: NAME }));
  return path;
}

export async function openSharedMode(
  flags: StandaloneFlags,
  config: ClientConfig,
  log: Logger,
): Promise<Mode> {
  const [cert, key] = await Promise.all(
    [flags.tlsCertFile, flags.tlsPrivateKeyFile].map((file) => readFile(file, 'utf8')),
  );
  const access = await sharedAccess(flags, config, log);
  return {
    isSingleUser: false,
    access: () => access,
    serving: { cert: cert ?? '', key: key ?? '' },
    started: async () => undefined,
    whenReady: () => access.delegation.whenReady(),
    [Symbol.asyncDispose]: () => access.delegation.close(),
  };
}
