import type { HeaderList } from '@tributary/client';
import { hasImpersonationPrefix, isIdentityHeader } from '@tributary/client/http';

/**
 * A request in the name of a user of the cluster: the credentials come from the kubeconfig, and from nobody else.
 * Whoever is to be taken for somebody else says so completely; what the kubeconfig says of it is then left out.
 */
export function clusterLines(lines: HeaderList, credentials: HeaderList): HeaderList {
  const own = lines.filter(([name]) => !isIdentityHeader(name));
  const hasSubject = own.some(([name]) => hasImpersonationPrefix(name));
  const shown = hasSubject
    ? credentials.filter(([name]) => !hasImpersonationPrefix(name))
    : credentials;
  return [...own, ...shown];
}
