/** Beside this file, as source or as built; a bundle has one name for each of its threads. */
export const validationEntry = new URL(
  import.meta.url.endsWith('.ts') ? './validation-worker.ts' : './validation-worker.js',
  import.meta.url,
);
