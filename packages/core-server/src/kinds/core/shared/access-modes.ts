import { type FieldError, fieldError, root } from '@tributary/apimachinery';

const SPEC = root('spec');

export const ACCESS: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const MODES = Object.keys(ACCESS).sort();

export function accessErrors(modes: readonly string[] | undefined): FieldError[] {
  return (modes ?? [])
    .filter((mode) => !MODES.includes(mode))
    .map((mode) => fieldError.notSupported(SPEC.child('accessModes'), mode, MODES));
}
