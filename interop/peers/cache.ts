import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where things too slow to make twice live: outside every clone, and shared by all of them. */
export function cacheDir(env: Environment = process.env, home: string = homedir()): string {
  if (env.TRIBUTARY_CACHE_DIR) return resolve(env.TRIBUTARY_CACHE_DIR);
  // The XDG specification asks to ignore a relative path.
  const xdg = env.XDG_CACHE_HOME;
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.cache');
  return join(base, 'tributary');
}
