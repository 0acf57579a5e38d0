/**
 * The headers that identify the sender of a request: the only list of them, for writing, authenticating and forwarding
 * requests. Names are in lower case.
 */

/** Headers of a front proxy: the defaults of `--requestheader-username-headers` and its siblings. */
export const remoteUserHeaders = {
  user: 'x-remote-user',
  uid: 'x-remote-uid',
  group: 'x-remote-group',
  extraPrefix: 'x-remote-extra-',
} as const;

/** Headers of impersonation. */
export const impersonateHeaders = {
  user: 'impersonate-user',
  uid: 'impersonate-uid',
  group: 'impersonate-group',
  extraPrefix: 'impersonate-extra-',
} as const;

/** Whether the header authenticates a client, or names the user that a front proxy has authenticated. */
export function isIdentityHeader(name: string): boolean {
  if (name === 'authorization') return true;
  if (!name.startsWith('x-remote-')) return false;
  return REMOTE.has(name) || name.startsWith(remoteUserHeaders.extraPrefix);
}

const REMOTE: ReadonlySet<string> = new Set([
  remoteUserHeaders.user,
  remoteUserHeaders.uid,
  remoteUserHeaders.group,
]);

/** Whether the header requests impersonation. */
export function isImpersonationHeader(name: string): boolean {
  return (
    hasImpersonationPrefix(name) &&
    (IMPERSONATE.has(name) || name.startsWith(impersonateHeaders.extraPrefix))
  );
}

const IMPERSONATE: ReadonlySet<string> = new Set([
  impersonateHeaders.user,
  impersonateHeaders.uid,
  impersonateHeaders.group,
]);

/** Includes names that another version of Kubernetes may read: a proxy must not forward them for a client. */
export function hasImpersonationPrefix(name: string): boolean {
  return name.startsWith('impersonate-');
}
