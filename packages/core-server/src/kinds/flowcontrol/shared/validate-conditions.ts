import { type FieldError, fieldError, root } from '@tributary/apimachinery';

interface WithConditions {
  readonly conditions?: readonly { readonly type?: string }[];
}

export function validateConditions({ conditions = [] }: WithConditions = {}): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = '' }, at) => {
    const path = root('status', 'conditions').index(at).child('type');
    const errors = seen.has(type) ? [fieldError.duplicate(path, type)] : [];
    seen.add(type);
    return type === '' ? [...errors, fieldError.required(path)] : errors;
  });
}
