/** Imported before a program: replaces the SQLite engine by one with a fault. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ENGINE = '@tributary/storage-sqlite';
const faulty = pathToFileURL(join(import.meta.dirname, 'faulty-sqlite.ts')).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === ENGINE && context.parentURL !== faulty
      ? next(faulty, context)
      : next(specifier, context),
});
