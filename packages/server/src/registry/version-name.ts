/** The version in an `apiVersion`. */
export function versionName(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
