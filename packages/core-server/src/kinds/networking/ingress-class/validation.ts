import type { IngressClass } from '@tributary/api/networking-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';

const SPEC = root('spec');

const CONTROLLER = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[^\s]+$/;

const CONTROLLER_MAX = 250;

export function validateIngressClass({
  spec: { controller = '', parameters },
}: IngressClass): FieldError[] {
  const path = SPEC.child('controller');
  const errors: FieldError[] = [];
  if (controller === '') errors.push(fieldError.required(path));
  else if (controller.length > CONTROLLER_MAX || !CONTROLLER.test(controller)) {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(fieldError.invalid(path, controller, detail));
  }
  if (!parameters) return errors;
  for (const field of ['kind', 'name'] as const) {
    if (!parameters[field]) errors.push(fieldError.required(SPEC.child('parameters', field)));
  }
  return errors;
}
