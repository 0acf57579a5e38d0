import { remoteUserHeaders } from '@tributary/client/http';

/** Headers in which a front proxy sends the user. Names and prefixes are in lower case. */
export interface RequestHeaderNames {
  /** Common names of its certificate; none means every certificate of the CA. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export const standardRequestHeaders: RequestHeaderNames = {
  allowedNames: [],
  usernameHeaders: [remoteUserHeaders.user],
  uidHeaders: [],
  groupHeaders: [remoteUserHeaders.group],
  extraHeaderPrefixes: [remoteUserHeaders.extraPrefix],
};

/** Configured identity headers, which are removed from requests like the standard ones. */
export function customIdentityHeader(names: () => RequestHeaderNames): (header: string) => boolean {
  return (header) => {
    const { usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes } = names();
    return (
      usernameHeaders.includes(header) ||
      uidHeaders.includes(header) ||
      groupHeaders.includes(header) ||
      extraHeaderPrefixes.some((prefix) => header.startsWith(prefix))
    );
  };
}
