import type { HeaderList } from '@tributary/client';
import { hasImpersonationPrefix, isIdentityHeader } from '@tributary/client/http';

/**
 * The headers of a request for the cluster: credentials come from the kubeconfig alone. Impersonation in the request
 * replaces that of the kubeconfig completely.
 */
export function clusterHeaders(lines: HeaderList, credentials: HeaderList): HeaderList {
  const own = lines.filter(([name]) => !isIdentityHeader(name));
  const hasSubject = own.some(([name]) => hasImpersonationPrefix(name));
  const shown = hasSubject
    ? credentials.filter(([name]) => !hasImpersonationPrefix(name))
    : credentials;
  return [...own, ...shown];
}
