import assert from 'node:assert/strict';
import test from 'node:test';
import { cacheDir } from './cache.ts';

const cases = [
  {
    name: 'own variable first',
    env: { TRIBUTARY_CACHE_DIR: '/a', XDG_CACHE_HOME: '/b' },
    want: '/a',
  },
  { name: 'then the XDG folder', env: { XDG_CACHE_HOME: '/b' }, want: '/b/tributary' },
  { name: 'then the home folder', env: {}, want: '/home/u/.cache/tributary' },
  {
    name: 'an empty variable is unset',
    env: { TRIBUTARY_CACHE_DIR: '' },
    want: '/home/u/.cache/tributary',
  },
  {
    name: 'a relative XDG folder is ignored',
    env: { XDG_CACHE_HOME: 'b' },
    want: '/home/u/.cache/tributary',
  },
];
for (const { name, env, want } of cases) {
  test(`cache folder: ${name}`, () => assert.equal(cacheDir(env, '/home/u'), want));
}
