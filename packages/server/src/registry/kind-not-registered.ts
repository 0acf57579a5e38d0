import { formatGroupVersion, type GroupVersionKind, goQuote } from '@tributary/apimachinery';

/** What upstream says of a kind it does not know; the scheme there is a place in its sources, here it is the group. */
export function kindNotRegistered(sent: GroupVersionKind, scheme: string): string {
  const version = goQuote(formatGroupVersion(sent));
  return `no kind ${goQuote(sent.kind)} is registered for version ${version} in scheme ${goQuote(scheme)}`;
}
