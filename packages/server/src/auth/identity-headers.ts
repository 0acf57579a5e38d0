/** Headers by which a request says who sends it; nobody behind authentication may see them. */
export function isIdentityHeader(name: string): boolean {
  if (name === 'authorization') return true;
  if (!name.startsWith('x-remote-')) return false;
  return STANDARD.has(name) || name.startsWith('x-remote-extra-');
}

const STANDARD = new Set(['x-remote-user', 'x-remote-uid', 'x-remote-group']);
