import type { GroupVersionKind } from '@tributary/apimachinery';

/** The name that the Go type of a kind has by convention, which some texts show: a package is named for its group. */
export function goTypeName({ group, kind }: GroupVersionKind): string {
  return `*${group.split('.', 1)[0] || 'core'}.${kind}`;
}
