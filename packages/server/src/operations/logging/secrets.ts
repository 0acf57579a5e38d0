const SECRET = /([?&](?:[a-z_-]*token|password|secret|authorization)=)[^&]*/gi;

/** Redacts credentials in URLs, where clients sometimes put them by mistake. */
export function withoutSecrets(target: string): string {
  return target.includes('?') ? target.replace(SECRET, '$1REDACTED') : target;
}
