const SECRET = /([?&](?:[a-z_-]*token|password|secret|authorization)=)[^&]*/gi;

/** Somebody may put a credential where it does not belong; it goes no further than here. */
export function withoutSecrets(target: string): string {
  return target.includes('?') ? target.replace(SECRET, '$1REDACTED') : target;
}
