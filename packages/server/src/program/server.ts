import type { Client } from '@tributary/client';
import { systemClock } from '@tributary/storage';
import type { Reload } from '../auth/trust-source.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { Loopback, type LoopbackClientOptions } from '../http/in-process/loopback.ts';
import { type MetadataWatch, watchMetadata } from '../http/in-process/watch-metadata.ts';
import { type Listener, listen } from '../http/listener/listener.ts';
import { serveExchanges } from '../http/listener/serve-exchanges.ts';
import type { Handler } from '../request/pipeline.ts';
import type { LiveResources } from '../routing/live/live-resources.ts';
import type { ResourcePlace } from '../routing/route-table.ts';
import { assembleServer, openApiRoute } from './assemble-server.ts';
import type { ServerConfig } from './server-config.ts';
import type { Operations } from './server-operations.ts';

export type { Reload } from '../auth/trust-source.ts';
export type { ServerConfig } from './server-config.ts';

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /**
   * Reports not ready, rejects new requests, ends watches, finishes requests in flight, and closes the port. The store
   * is the caller's. Closing twice is harmless.
   */
  close(): Promise<void>;
  /** Replaces certificates and tokens. Throws for invalid ones, without effect. */
  reload(reload: Reload): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ApiServer {
  /** The whole server as a function, for tests without a port. */
  readonly handler: Handler;
  /** A client in the same process, which needs no port and no credentials. */
  client(options: LoopbackClientOptions): Client;
  /** The metadata of a resource's objects, without requests; undefined when they are not in the store. */
  metadataOf(place: ResourcePlace): MetadataWatch | undefined;
  listen(): Promise<RunningServer>;
  /** Resources that are added and removed at run time. */
  readonly live: LiveResources;
}

/** As upstream. */
export const BODY_BYTES_MAX = 3 * 1024 * 1024;
const WATCH_GRACE_MS = 10_000;
const DRAIN_MS = 2_000;

/** Serves one API group or several. Nothing is opened before `listen`. */
export function createServer(
  api: ApiDefinition | readonly ApiDefinition[],
  config: ServerConfig,
): ApiServer {
  const apis = 'group' in api ? [api] : api;
  const loopback = config.loopback ?? new Loopback();
  const server = assembleServer(apis, { ...config, loopback }, (live) =>
    openApiRoute(live, config),
  );
  const { handler, operations } = server;
  const serve = serveExchanges({
    handler,
    bodyBytesMax: BODY_BYTES_MAX,
    reportBug: operations.reportBug,
  });
  loopback.serve(serve);
  return {
    handler,
    live: server.live,
    client: (options) => loopback.client(options),
    metadataOf: (place) => {
      const cache = server.cacheOf(place);
      return cache && ((options) => watchMetadata(cache, options));
    },
    listen: async () => {
      const listener = await listen({
        address: config.bindAddress ?? '127.0.0.1',
        port: config.securePort ?? 0,
        certificate: config.serving.cert,
        privateKey: config.serving.key,
        serve,
        onHandshakeError: () => operations.system.handshakeErrors.add(),
        onOutOfFiles: operations.reportBug,
      });
      const started = running(listener, config, operations, () => server.closeCaches());
      server.address.current = new URL(started.url).host;
      return started;
    },
  };
}

function running(
  listener: Listener,
  config: ServerConfig,
  { shutdown, credentials, ...operations }: Operations,
  closeCaches: () => Promise<void>,
): RunningServer {
  const { clock = systemClock } = config;
  const { delayMs = 0, watchGraceMs = WATCH_GRACE_MS, drainMs = DRAIN_MS } = config.shutdown ?? {};
  const address = config.bindAddress ?? '127.0.0.1';
  const host = address.includes(':') ? `[${address}]` : address;
  let closing: Promise<void> | undefined;
  const close = async () => {
    // Clocks do not keep a process alive, and one that ended here would lose log lines.
    const stayAlive = setInterval(() => {}, 1000);
    shutdown.begin();
    if (delayMs > 0) await new Promise<void>((resolve) => void clock.schedule(delayMs, resolve));
    shutdown.drain();
    await Promise.all([
      shutdown.endWatches(watchGraceMs),
      listener.close(shutdown.spreadMs(watchGraceMs) + drainMs),
    ]);
    await closeCaches();
    await operations.close();
    clearInterval(stayAlive);
  };
  const closeOnce = () => {
    closing ??= close();
    return closing;
  };
  return {
    url: `https://${host}:${listener.port}`,
    port: listener.port,
    close: closeOnce,
    reload(reload) {
      if (reload.serving !== undefined) {
        listener.reload({ certificate: reload.serving.cert, privateKey: reload.serving.key });
      }
      credentials.replace(reload);
    },
    [Symbol.asyncDispose]: closeOnce,
  };
}
