/** Every expression whose judgement is recorded, of the kinds found in documentation and in definitions of operators. */
import type { CelCase } from './case.ts';
import { authorizerCases } from './cases/authorizer.ts';
import { compileErrorCases } from './cases/compile-errors.ts';
import { conversionCases } from './cases/conversions.ts';
import { costCases } from './cases/costs.ts';
import { formatCases } from './cases/format.ts';
import { listCases } from './cases/lists.ts';
import { literalCases } from './cases/literals.ts';
import { macroCases } from './cases/macros.ts';
import { netCases } from './cases/net.ts';
import { operatorCases } from './cases/operators.ts';
import { optionalCases } from './cases/optionals.ts';
import { quantityCases } from './cases/quantities.ts';
import { regexCases } from './cases/regexes.ts';
import { resourceCases } from './cases/resources.ts';
import { ruleCases } from './cases/rules.ts';
import { schemaCases } from './cases/schemas.ts';
import { semverCases } from './cases/semvers.ts';
import { stringCases } from './cases/strings.ts';
import { timeCases } from './cases/times.ts';
import { transitionCases } from './cases/transitions.ts';
import { urlCases } from './cases/urls.ts';

export const celCases: readonly CelCase[] = [
  ...literalCases,
  ...operatorCases,
  ...conversionCases,
  ...timeCases,
  ...macroCases,
  ...optionalCases,
  ...stringCases,
  ...formatCases,
  ...listCases,
  ...regexCases,
  ...urlCases,
  ...netCases,
  ...quantityCases,
  ...semverCases,
  ...authorizerCases,
  ...compileErrorCases,
  ...schemaCases,
  ...ruleCases,
  ...transitionCases,
  ...resourceCases,
  ...costCases,
];
