/** Throws for a `*` that is not at the end. */
export function pathMatcher(paths: readonly string[]): (path: string) => boolean {
  const exact = new Set<string>();
  const beginnings: string[] = [];
  for (const path of paths.map(withoutSlash)) {
    if (path.slice(0, -1).includes('*')) throw new Error(`only trailing * allowed in "${path}"`);
    if (path.endsWith('*')) beginnings.push(path.slice(0, -1));
    else exact.add(path);
  }
  return (asked) => {
    const path = withoutSlash(asked);
    return exact.has(path) || beginnings.some((beginning) => path.startsWith(beginning));
  };
}

function withoutSlash(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path;
}
