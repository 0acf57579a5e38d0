/** The results of our validation for scenarios. */
import { type FieldError, fieldErrorBody, type KubeObject, root } from '@tributary/apimachinery';
import type { JsonSchema } from '../../../packages/server/src/schema/json-schema.ts';
import { rootSchema } from '../../../packages/server/src/schema/object-schema.ts';
import { compileRules } from '../../../packages/server/src/schema/rules/compile-rules.ts';
import { objectValidator } from '../../../packages/server/src/validation/schema-validation.ts';
import type { ValidateContext } from '../../../packages/server/src/validation/validate-context.ts';
import { instanceOf, specSchema, withSentinel } from './definition.ts';
import type { ProblemCase, RootScenario, Scenario } from './scenario.ts';
import { object } from './scenario.ts';
import { type Cause, type Verdict, verdictOf } from './verdict.ts';

/** With a context, in whichever place it is asked; without one, at once. */
export function ourVerdict(
  scenario: Scenario,
  property: string,
  context?: ValidateContext,
): Promise<Verdict> {
  const { schema, before, after } = scenario;
  const content = (data: unknown) => ({ spec: { [property]: data } });
  const write = {
    live: before === undefined ? undefined : instanceOf('samples', property, content(before)),
    next: instanceOf('samples', property, content(after)),
    part: undefined,
  };
  return checked(specSchema({ [property]: schema }), write, context);
}

export function ourRootVerdict(
  scenario: RootScenario,
  plural: string,
  context?: ValidateContext,
): Promise<Verdict> {
  const { schema, before, after, part } = scenario;
  const live = before && { ...instanceOf(plural, 'one', before) };
  const sent = instanceOf(plural, 'one', after);
  const write = { live, next: written(sent, live, part), part };
  return checked(withSentinel(schema), write, context);
}

/** The object as a write stores it when the status is a subresource. */
function written(
  sent: Record<string, unknown>,
  live: Record<string, unknown> | undefined,
  part: RootScenario['part'],
): Record<string, unknown> {
  if (part === 'status') return { ...live, status: sent.status };
  const { status: _, ...rest } = sent;
  return live?.status === undefined ? rest : { ...rest, status: live.status };
}

interface Write {
  readonly live: Record<string, unknown> | undefined;
  readonly next: Record<string, unknown>;
  readonly part: 'status' | undefined;
}

async function checked(
  schema: JsonSchema,
  { live, next, part }: Write,
  context: ValidateContext | undefined,
): Promise<Verdict> {
  const warnings: string[] = [];
  const options = {
    live: live as KubeObject | undefined,
    part,
    warn: (text: string) => warnings.push(text),
  };
  const validator = objectValidator(rootSchema(schema));
  const errors = await validator.validateInContext(next as unknown as KubeObject, context, options);
  return verdictOf(errors.map(causeOf), warnings);
}

export function ourProblems({ schema }: ProblemCase): Verdict {
  const path = root('spec', 'validation', 'openAPIV3Schema');
  const { problems } = compileRules(object({ spec: schema }), { path });
  return verdictOf(problems.map(({ error }) => causeOf(error)));
}

function causeOf(error: FieldError): Cause {
  return { reason: error.type, field: error.field, message: fieldErrorBody(error) };
}
