/** Beside this module, in source and in a build; a bundle has one file name per worker. */
export const validationEntry = new URL(
  import.meta.url.endsWith('.ts') ? './validation-worker.ts' : './validation-worker.js',
  import.meta.url,
);
