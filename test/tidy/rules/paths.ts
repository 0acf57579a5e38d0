import type { Tree } from '../tree.ts';

/**
 * Home and work directories. A path that continues another one (`./home/x`, `https://host/root/`) is not absolute,
 * and `/root` alone is allowed.
 */
const PERSONAL = /(?<![\w.\-/}])\/(?:(?:home|Users)\/([\w.-]+)\/|(?:root|work)\/[\w.-]+)/g;
/** Users of examples and test data. */
const NOBODY = new Set(['u', 'user', 'me', 'jane', 'somebody']);
const BINARY = /\.(?:png|jpg|gif|ico|woff2?|db|gz|zip)$/;

export function absolutePaths(tree: Tree): string[] {
  return tree.files
    .filter((path) => !BINARY.test(path))
    .flatMap((path) => {
      const matches = [...tree.read(path).matchAll(PERSONAL)];
      const found = matches.filter((match) => !NOBODY.has(match[1] ?? '')).map(([text]) => text);
      return [...new Set(found)].map((text) => `${path} mentions ${text}`);
    });
}
