#!/usr/bin/env node
import { launch } from '@tributary/server/launcher';

await launch({
  bin: import.meta.url,
  built: 'dist/main.js',
  bundle: 'bundle/main.js',
  source: 'src/main.ts',
  ...(process.argv[2] === 'up' && { settings: 'bin/server.settings' }),
});
