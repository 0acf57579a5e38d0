/** An extension server that asks a core, over real TLS. */
import { openMemoryStorage } from '@tributary/storage';
import {
  createPki,
  defer,
  httpsRequest,
  type RequestOptions,
  type Response,
  type TestScope,
} from '../../../test/harness/index.ts';
import {
  type DelegatedAuthentication,
  type DelegatedAuthorization,
  type DelegationOptions,
  delegate,
} from '../src/delegation/delegate.ts';
import { createServer, type ServerConfig } from '../src/index.ts';
import { silentLog } from './log-fixture.ts';
import { type MiniCore, miniCore } from './mini-core.ts';
import { weather } from './server-fixture.ts';

export interface Extension {
  readonly url: string;
  ask(path: string, options?: RequestOptions): Promise<Response>;
  logged: readonly string[];
}

export interface ExtensionOptions {
  readonly options?: Partial<DelegationOptions>;
  readonly authentication?: Partial<DelegatedAuthentication>;
  readonly authorization?: Partial<DelegatedAuthorization>;
  readonly config?: Partial<ServerConfig>;
}

export async function startExtension(
  t: TestScope,
  core: MiniCore,
  more: ExtensionOptions = {},
): Promise<Extension & { pki: { ca: { cert: string } } }> {
  const pki = await createPki();
  const { log, lines } = silentLog();
  const delegation = delegate({
    authentication: { core: core.config, ...more.authentication },
    authorization: { core: core.config, ...more.authorization },
    namespaces: core.config,
    log,
    ...more.options,
  });
  const storage = openMemoryStorage();
  const server = await createServer(weather, {
    storage,
    log,
    serving: pki.server,
    reportBug: () => {},
    ...more.config,
    ...delegation.config,
  }).listen();
  defer(t, async () => {
    await server.close();
    await delegation.close();
    await storage.close();
  });
  return {
    url: server.url,
    logged: lines,
    pki,
    ask: (path, options = {}) => httpsRequest(server.url + path, { ca: pki.ca.cert, ...options }),
  };
}

export function trustOf({ pki }: MiniCore): Record<string, string> {
  return {
    'client-ca-file': pki.ca.cert,
    'requestheader-client-ca-file': pki.frontProxyCa.cert,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  };
}

export async function startedCore(t: TestScope): Promise<MiniCore> {
  const core = await miniCore(t);
  await core.start();
  await core.setTrust(trustOf(core));
  await core.setNamespace('eu');
  core.tokens.set('alice-token', { username: 'alice' });
  core.allowed.add('alice');
  return core;
}

export const alice = { token: 'alice-token' };

export async function isReady({ ask }: Extension): Promise<boolean> {
  return (await ask('/readyz')).status === 200;
}
