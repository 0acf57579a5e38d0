import type { HeaderList } from '@tributary/client';

/**
 * A request in the name of a user of the cluster: the credentials come from the kubeconfig, and from nobody else.
 * Whoever is to be taken for somebody else says so completely; what the kubeconfig says of it is then left out.
 */
export function clusterLines(lines: HeaderList, credentials: HeaderList): HeaderList {
  const own = lines.filter(([name]) => name !== 'authorization' && !name.startsWith('x-remote-'));
  const hasSubject = own.some(([name]) => isImpersonation(name));
  const shown = hasSubject ? credentials.filter(([name]) => !isImpersonation(name)) : credentials;
  return [...own, ...shown];
}

export function isImpersonation(name: string): boolean {
  return name.startsWith('impersonate-');
}
