import type { ControllerDependencies } from '@tributary/client/controller';
import type { UndescribedDefinitions } from '../openapi-problems.ts';
import { runApproving } from './approving.ts';
import { runDescribing } from './describing.ts';
import { runEstablishing } from './establishing.ts';
import { runNaming } from './naming.ts';
import { runNonStructural } from './non-structural.ts';

/** Everything that says in the status of a CustomResourceDefinition what became of it. */
export async function runCustomResourceConditions(
  dependencies: ControllerDependencies,
  undescribed: UndescribedDefinitions,
): Promise<void> {
  await Promise.all([
    runNaming(dependencies),
    runEstablishing(dependencies),
    runNonStructural(dependencies),
    runApproving(dependencies),
    runDescribing(dependencies, undescribed),
  ]);
}
