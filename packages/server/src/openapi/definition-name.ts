/** Names of definitions, operations and tags. */
import type { GroupVersion, GroupVersionKind } from '@tributary/apimachinery';

/** As for custom resources: the group reversed, then version and kind. */
export function definitionName({ group, version, kind }: GroupVersionKind): string {
  return [...group.split('.').reverse(), version, kind].filter((part) => part !== '').join('.');
}

/** In operation ids: `WardleExampleComV1alpha1`; without a version, the name of the group. */
export function groupVersionWords({ group, version }: Partial<GroupVersion>): string {
  return capitalised(groupWord(group)) + capitalised(camelCase(version ?? ''));
}

/** `wardleExampleCom_v1alpha1` */
export function groupVersionTag({ group, version }: Partial<GroupVersion>): string {
  return version === undefined ? groupWord(group) : `${groupWord(group)}_${camelCase(version)}`;
}

export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function groupWord(group = ''): string {
  return group === '' ? 'core' : camelCase(group.replace(/\.k8s\.io$/, ''));
}

function camelCase(text: string): string {
  const [first = '', ...rest] = text.split(/[^\p{L}\p{Nd}_]+/u).filter((word) => word !== '');
  return first + rest.map(capitalised).join('');
}
