import type { Route } from '@tributary/server/routing';
import { serviceAccountDiscovery } from '../authentication/index.ts';
import type { CoreServerConfig } from './core-config.ts';

/** The documents by which others verify the tokens of service accounts, where the issuer may have them. */
export function discoveryRoute({ serviceAccounts, server, log }: CoreServerConfig): Route[] {
  const { keys, issuers } = serviceAccounts;
  const port = server.securePort ?? 0;
  const discovery = serviceAccountDiscovery({
    issuer: issuers[0] ?? '',
    externalAddress: `${server.bindAddress ?? '127.0.0.1'}:${port}`,
    keys: () => keys,
  });
  if ('route' in discovery) return [discovery.route];
  log.info('The keys of service accounts are not published', { why: discovery.why });
  return [];
}
