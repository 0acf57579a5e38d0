/** The stored form of objects, for backups and controllers. */

export { storedForm } from './stored-form.ts';
