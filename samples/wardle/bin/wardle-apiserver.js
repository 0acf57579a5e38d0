#!/usr/bin/env node
import { launch } from '@tributary/server/launcher';

await launch({ bin: import.meta.url, built: 'dist/main.js', source: 'src/main.ts' });
