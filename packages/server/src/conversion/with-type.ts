import type { KubeObject } from '@tributary/apimachinery';
import type { Content } from '../definition/conversion.ts';

/**
 * An object of what a conversion returned. The type that is asked for wins over one that the conversion returns, such as
 * that of its argument; metadata that it does not return stays as it was.
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
