import type { AccessInfo } from '../src/request/authorizer.ts';
import type { UserInfo } from '../src/request/pipeline.ts';

export function person(name: string, groups: readonly string[] = []): UserInfo {
  return { name, uid: '', groups, extra: {} };
}

/** The attributes of a request: for a resource if one is given, otherwise for a path. */
export function accessInfo(about: Partial<AccessInfo>): AccessInfo {
  const isResourceRequest = about.resource !== undefined;
  return {
    isResourceRequest,
    verb: 'get',
    path: '',
    group: '',
    version: isResourceRequest ? 'v1' : '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    fieldSelector: '',
    labelSelector: '',
    ...about,
  };
}
