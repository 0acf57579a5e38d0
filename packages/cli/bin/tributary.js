#!/usr/bin/env node
import { launch, SERVER_FLAGS } from '@tributary/server/launcher';

await launch({
  bin: import.meta.url,
  built: 'dist/main.js',
  bundle: 'bundle/main.js',
  source: 'src/main.ts',
  flags: process.argv[2] === 'up' ? SERVER_FLAGS : [],
});
