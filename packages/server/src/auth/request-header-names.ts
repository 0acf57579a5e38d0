import { remoteUserHeaders } from '@tributary/client/http';

/** Which headers a front proxy may say a user by. Names and prefixes are in lower case. */
export interface RequestHeaderNames {
  /** Common names of its certificate; none means any that its authority signed. */
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

/** What must not be seen further in, beside the standard names. */
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
