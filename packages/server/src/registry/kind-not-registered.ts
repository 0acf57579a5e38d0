import { formatGroupVersion, type GroupVersionKind, goQuote } from '@tributary/apimachinery';

/** Upstream's message for an unknown kind; the scheme there is a position in its sources, here it is the group. */
export function kindNotRegistered(sent: GroupVersionKind, scheme: string): string {
  const version = goQuote(formatGroupVersion(sent));
  return `no kind ${goQuote(sent.kind)} is registered for version ${version} in scheme ${goQuote(scheme)}`;
}
