import { randomUUID } from 'node:crypto';
import { openMemoryStorage, type Storage } from '@tributary/storage';
import type { ApiDefinition } from '../definition/api.ts';
import type { Logger } from '../operations/logging/logger.ts';
import { type AssembledServer, assembleServer, openApiRoute } from '../program/assemble-server.ts';
import type { PortlessConfig } from '../program/server-config.ts';
import type { Handler } from '../request/pipeline.ts';
import type { LiveResources } from '../routing/live/live-resources.ts';
import type { Route } from '../routing/router.ts';
import { ResettableClock, type TestClock, testStartMs } from './test-clock.ts';
import { testIdentity } from './test-identity.ts';
import { openTestPort, type TestPort } from './test-port.ts';
import { exchangeServer, type TestSession, testSession } from './test-session.ts';
import { TestUsers, testAdmin } from './test-users.ts';

/** The options of a server, except those that the test server provides. */
export interface TestServerOptions
  extends Omit<
    PortlessConfig,
    'storage' | 'clock' | 'identity' | 'random' | 'authenticator' | 'log' | 'reportBug'
  > {
  /** The initial time, in milliseconds since 1970. Default: the first of January 2030. */
  readonly startMs?: number;
}

/** A whole server in this process, with the rights of an administrator. */
export interface TestServer extends TestSession, AsyncDisposable {
  /** The clock of everything that depends on time. */
  readonly clock: TestClock;
  /** The current store, for inspection or preparation. */
  readonly storage: Storage;
  /** Internal errors of the server and of the author's code, of which a client sees only a 500. */
  readonly bugs: readonly unknown[];
  /** Resources added and removed at run time; a reset removes them. */
  readonly live: LiveResources;
  /** Empties the store, restarts uids, names, revisions and the clock, and ends watches. */
  reset(): Promise<void>;
  /** Opens a real port, for kubectl and other programs. It stays open across a reset. */
  listen(): Promise<TestPort>;
  /** Closing twice is harmless. */
  close(): Promise<void>;
}

/** Further errors are not recorded. */
const BUGS_MAX = 100;

/** Serves an API without a port. Every request is allowed, unless an `authorizer` is given. */
export async function startTestServer(
  api: ApiDefinition | readonly ApiDefinition[],
  options: TestServerOptions = {},
): Promise<TestServer> {
  const apis = 'group' in api ? [api] : api;
  const { startMs = testStartMs, ...config } = options;
  const token = randomUUID();
  const users = new TestUsers(token);
  const clock = new ResettableClock(startMs);
  const fixed = onDemand(() => openApiRoute(() => apis, { clock }));
  const bugs: unknown[] = [];
  const reportBug = (error: unknown) => {
    if (bugs.length < BUGS_MAX) bugs.push(error);
  };
  const assemble = (): World => {
    const storage = openMemoryStorage({ clock });
    const server = assembleServer(
      apis,
      {
        authorizer: () => ({ allowed: true }),
        ...config,
        storage,
        clock,
        identity: testIdentity(clock.nowMs),
        random: () => 0,
        authenticator: users.authenticate,
        log: silentLog(clock),
        reportBug,
      },
      (now) => {
        const later = onDemand(() => openApiRoute(now, { clock }));
        return (request) => (now() === apis ? fixed : later)(request);
      },
    );
    return { storage, server };
  };
  let world = assemble();
  const handler: Handler = (request) => world.server.handler(request);
  const serve = exchangeServer(handler, reportBug);
  const ports = new Set<TestPort>();
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= Promise.all([...[...ports].map((port) => port.close()), end(world)]).then(() => {});
    return closing;
  };

  return {
    ...testSession({ apis, users, serve }, testAdmin),
    clock,
    bugs,
    get storage() {
      return world.storage;
    },
    get live() {
      return world.server.live;
    },
    reset: async () => {
      const before = world;
      clock.restart();
      bugs.length = 0;
      world = assemble();
      world.server.address.current = before.server.address.current;
      await end(before);
    },
    listen: async () => {
      const port = await openTestPort({ handler, token, reportBug });
      ports.add(port);
      world.server.address.current = new URL(port.url).host;
      return port;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface World {
  readonly storage: Storage;
  readonly server: AssembledServer;
}

async function end({ server, storage }: World): Promise<void> {
  await server.closeCaches();
  await Promise.all([server.operations.close(), storage.close()]);
}

/** Building the documents takes longer than everything else, and few tests read them. */
function onDemand(make: () => Route): Route {
  let route: Route | undefined;
  return (request) => {
    if (!request.path.startsWith('/openapi/')) return undefined;
    route ??= make();
    return route(request);
  };
}

/** Tests inspect `bugs`; lines on standard error would clutter their report. */
function silentLog(clock: TestClock): Logger {
  return {
    verbosity: 0,
    info() {},
    verbose() {},
    error() {},
    linesDropped: 0,
    get movedMs() {
      return clock.nowMs();
    },
    flush: async () => {},
    close: async () => {},
  };
}
