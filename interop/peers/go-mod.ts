/** The version that a go.mod requires of a module, as in `v1.36.3`. */
export function requiredVersion(goMod: string, modulePath: string): string | undefined {
  for (const line of goMod.split('\n')) {
    const [path, version] = line
      .trim()
      .replace(/^require\s+/, '')
      .split(/\s+/);
    if (path === modulePath && version?.startsWith('v')) return version;
  }
  return undefined;
}

/** The modules that a go.mod requires at exactly this version. */
export function modulesAt(goMod: string, wanted: string): string[] {
  return goMod
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, version]) => version === wanted)
    .flatMap(([path]) => path ?? []);
}

/** The language version of a go.mod: the oldest Go that may build it. */
export function languageVersion(goMod: string): string | undefined {
  return /^go (\S+)$/m.exec(goMod)?.[1];
}
