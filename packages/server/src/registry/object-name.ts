import type { KubeObject } from '@tributary/apimachinery';
import type { Strategy } from './strategy.ts';

/** The namespace and name of an object; `namespace` is empty for cluster-scoped kinds. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

export function nameOf({ metadata }: KubeObject): ObjectName {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

/** The key of an object below the prefix of its resource. */
export function objectKeyPath(
  { namespaced }: Pick<Strategy, 'namespaced'>,
  { namespace, name }: ObjectName,
): string {
  return namespaced ? `${namespace}/${name}` : name;
}

export function objectKey(
  strategy: Pick<Strategy, 'namespaced' | 'prefix'>,
  name: ObjectName,
): string {
  return strategy.prefix + objectKeyPath(strategy, name);
}
