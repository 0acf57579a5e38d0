#!/usr/bin/env node
import { launch, SERVER_ENV, SERVER_FLAGS } from '@tributary/server/launcher';

const isServer = process.argv[2] === 'up';

await launch({
  bin: import.meta.url,
  built: 'dist/main.js',
  bundle: 'bundle/main.js',
  source: 'src/main.ts',
  flags: isServer ? SERVER_FLAGS : [],
  env: isServer ? SERVER_ENV : {},
});
