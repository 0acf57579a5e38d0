import { type FieldError, fieldError, type ObjectMeta, root } from '@tributary/apimachinery';

const RESERVED_SUFFIX = '.static.k8s.io';

interface Named {
  readonly metadata: ObjectMeta;
}

/** Only new objects are refused the reserved suffix: those stored by earlier releases can still be changed. */
export function reservedNameHooks<Object extends Named>(
  validate: (object: Object) => FieldError[],
): Record<'validate' | 'validateUpdate', (object: Object) => FieldError[]> {
  return {
    validate: (object) => [...validate(object), ...reservedNameErrors(object)],
    validateUpdate: validate,
  };
}

function reservedNameErrors({ metadata: { name = '' } }: Named): FieldError[] {
  if (!name.endsWith(RESERVED_SUFFIX)) return [];
  return [fieldError.invalid(root('metadata').child('name'), name, RESERVED)];
}

/** Warns that this server stores the object without acting on it. */
export function storedOnlyWarnings({ metadata }: Named, notDone: string | undefined): string[] {
  return [
    ...(metadata.name?.endsWith(RESERVED_SUFFIX) ? [`metadata.name: ${RESERVED}`] : []),
    ...(notDone === undefined ? [] : [`tributary stores this and does not ${notDone}: ${WHO}`]),
  ];
}

const RESERVED = `names ending with "${RESERVED_SUFFIX}" are reserved for static manifest-based configurations and cannot be managed via the API`;
const WHO = 'only extension API servers that follow this kind themselves do';
