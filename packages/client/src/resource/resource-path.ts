import { formatGroupVersion, type GroupVersion } from '@tributary/apimachinery';

/** A resource of a version of a group. The core group is the empty string. */
export interface ResourceType extends GroupVersion {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The path of one object, or of a collection. Without a namespace it is all of them, or none. */
export interface ResourceLocation {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

export function resourcePath(type: ResourceType, location: ResourceLocation): string {
  const { namespace, name, subresource } = location;
  const root = type.group === '' ? '/api' : '/apis';
  return [
    `${root}/${formatGroupVersion(type)}`,
    ...(namespace === undefined ? [] : ['namespaces', segment('namespace', namespace)]),
    type.plural,
    ...(name === undefined ? [] : [segment('name', name)]),
    // Some subresources have further path segments.
    ...(subresource === undefined ? [] : subresource.split('/').map(encodeURIComponent)),
  ].join('/');
}

/** A name that is no path segment would select another resource. */
function segment(what: string, value: string): string {
  if (value === '' || value === '.' || value === '..' || value.includes('/')) {
    throw new TypeError(`${JSON.stringify(value)} is not a ${what}`);
  }
  return encodeURIComponent(value);
}
