import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of this package, from the nearest package.json that has one: the one of the bundle has none. */
export function version(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const { version } = manifestIn(folder);
    if (version !== undefined) return version;
  }
  throw new Error(`no package.json with a version above ${import.meta.dirname}`);
}

function manifestIn(folder: string): { readonly version?: string } {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string };
  } catch {
    return {}; // there is none
  }
}
