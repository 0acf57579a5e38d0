import type { KubeObject } from '@tributary/apimachinery';
import type { Content } from '../definition/conversion.ts';

/**
 * The object of a conversion's result. The target type overrides a type that the conversion returns, such as that of
 * its argument; metadata that it does not return is unchanged.
 */
export function withType(
  { kind, apiVersion }: Pick<KubeObject, 'kind' | 'apiVersion'>,
  source: KubeObject,
  content: Content<KubeObject>,
): KubeObject {
  const { metadata = source.metadata, ...returned } = content;
  const { kind: _kind, apiVersion: _version, ...fields } = returned as Partial<KubeObject>;
  return { kind, apiVersion, metadata, ...fields };
}
