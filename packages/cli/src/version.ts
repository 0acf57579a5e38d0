import { readFileSync } from 'node:fs';

/** All packages carry one version number; this package's own file is the nearest one. */
export function version(): string {
  const path = new URL('../package.json', import.meta.url);
  const { version: text } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  return text;
}
